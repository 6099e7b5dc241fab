"""The dashboard: Streamlit pages over the query API, and over nothing else."""
