"""A support agent, instrumented with OpenInference."""

from __future__ import annotations

from collector.demo.model import GPT_OSS, LLAMA, MISTRAL, Call, Model, Run, Stage, Tool, Turn

STAGE = Stage(
    "support-desk",
    "support",
    "You answer customers of a web shop. Look things up before you answer.",
    (
        Tool("search_tickets", "Full-text search in tickets.", {"query": "string"}),
        Tool(
            "list_orders",
            "The orders of a customer, a page at a time.",
            {"customer": "string", "page": "integer"},
        ),
        Tool("refund_order", "Refund an order.", {"order_id": "string", "reason": "string"}),
        Tool("send_email", "Send an email.", {"to": "string", "subject": "string", "body": "string"}),
    ),
    "openinference",
)


def search_again(model: Model, times: int) -> Run:
    """The same search with the same empty answer, round after round."""
    search = Call("search_tickets", {"query": "refund order 4711"}, {"total": 0, "tickets": []})
    return Run(
        "search-again",
        STAGE,
        model,
        (
            Turn("Let me look for the ticket.", (search,), user="What became of my refund for order 4711?"),
            *(Turn(calls=(search,)) for _ in range(times - 1)),
            Turn("I found no ticket about a refund for order 4711."),
        ),
        findings=("repetition_loop",),
    )


def leaked_harmony(model: Model, customer: str) -> Run:
    """A call that stayed in the text with its channel tokens."""
    return Run(
        "leaked-harmony-call",
        STAGE,
        model,
        (
            Turn(
                "<|channel|>commentary to=functions.list_orders <|constrain|>json<|message|>"
                f'{{"customer": "{customer}", "page": 1}}<|call|>',
                user=f"Which orders are open for customer {customer}?",
            ),
        ),
        findings=("leaked_tool_call",),
    )


def claimed_refund(model: Model, order: str) -> Run:
    """The refund failed, and the answer says that it was made."""
    return Run(
        "claimed-refund",
        STAGE,
        model,
        (
            Turn(
                user=f"The shoes of order {order} came broken. I want my money back.",
                calls=(
                    Call(
                        "refund_order",
                        {"order_id": order, "reason": "damaged on arrival"},
                        error="PaymentError: the original payment is older than 180 days",
                    ),
                ),
            ),
            Turn(f"I have refunded order {order}. The amount will be on your account within three days."),
        ),
        findings=("contradicted_claim",),
    )


def mail_sent_twice(model: Model, order: str) -> Run:
    """The same mail sent again, after a look at something else: the customer has it twice."""
    mail = {
        "to": "ada@example.org",
        "subject": f"Your order {order}",
        "body": f"Your order {order} has left our warehouse and will be with you on Monday.",
    }
    return Run(
        "mail-sent-twice",
        STAGE,
        model,
        (
            Turn(
                user=f"Tell the customer that order {order} is on its way.",
                calls=(Call("send_email", mail, {"status": "sent", "message_id": "m-5501"}),),
            ),
            Turn(calls=(Call("search_tickets", {"query": order}, {"total": 0, "tickets": []}),)),
            Turn(calls=(Call("send_email", mail, {"status": "sent", "message_id": "m-5502"}),)),
            Turn("I sent the customer the e-mail."),
        ),
        findings=("duplicate_side_effect",),
    )


def orders_in_pages(model: Model, customer: str) -> Run:
    """Page after page of one list: the page number moves, so it is no loop."""
    pages = (["8101", "8107"], ["8120", "8133"], ["8140", "8152"], ["8166"])
    return Run(
        "orders-in-pages",
        STAGE,
        model,
        (
            Turn(
                user=f"How many orders has customer {customer} placed?",
                calls=(
                    Call("list_orders", {"customer": customer, "page": 1}, {"orders": pages[0], "next": 2}),
                ),
            ),
            *(
                Turn(
                    calls=(
                        Call(
                            "list_orders",
                            {"customer": customer, "page": page},
                            {"orders": orders, "next": page + 1 if page < len(pages) else None},
                        ),
                    )
                )
                for page, orders in enumerate(pages[1:], start=2)
            ),
            Turn(f"Customer {customer} has placed 7 orders."),
        ),
    )


RUNS = (
    search_again(MISTRAL, 6),
    search_again(LLAMA, 4),
    leaked_harmony(GPT_OSS, "C-204"),
    leaked_harmony(GPT_OSS, "C-377"),
    claimed_refund(MISTRAL, "4702"),
    claimed_refund(LLAMA, "4733"),
    mail_sent_twice(MISTRAL, "4719"),
    orders_in_pages(MISTRAL, "C-118"),
    orders_in_pages(GPT_OSS, "C-131"),
)
