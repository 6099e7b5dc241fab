// Streamlit opens another page with parameters in two steps: the parameters on the old page, then the
// new page with them. Keep one entry of the two, so that Back leads to where the visitor was.
if (!window.tightropeHistory) {
  window.tightropeHistory = true;
  const push = history.pushState.bind(history);
  let step = null;
  history.pushState = (state, title, url) => {
    const from = new URL(location.href);
    const to = new URL(url ?? from, from);
    const second =
      step && Date.now() - step.at < 1500 && to.pathname !== step.path && to.search === step.search;
    step = to.pathname === from.pathname ? { at: Date.now(), path: to.pathname, search: to.search } : null;
    return second ? history.replaceState(state, title, url) : push(state, title, url);
  };
}
