"""A CRM export as people get it: two CSV files with names, gaps, countries and e-mails."""

from __future__ import annotations

import random
from pathlib import Path

COUNTRIES = ("DE", "AT", "CH", "FR")
FLAGS = (
    "--dataset", "crm", "--id", "E-Mail", "--label", "Churned", "--source", "Referrer",
    "--target", "Customer", "--ignore", "Customer since",
)  # fmt: skip


def write_crm(folder: Path, count: int = 120, new: int = 0) -> None:
    """Writes `customers.csv` and `referrals.csv`, with `;` between the columns.

    Args:
        folder: The folder to make.
        count: Customers of the first export.
        new: Customers who came later: without a label, from a new country, with gaps.
    """
    rng = random.Random(0)
    customers = ["\ufeffE-Mail;Name;Country;Age;Revenue;Newsletter;Customer since;Churned;"]
    emails = []
    for number in range(count + new):
        email = f"kunde{number}@example.org"
        emails.append(email)
        leaves = number % 3 == 0
        age = "" if number % 7 == 0 else str(rng.randint(20, 40) + 30 * leaves)
        revenue = f"{rng.randint(10, 99)},{rng.randint(10, 99)}"
        country = rng.choice(COUNTRIES) if number % 11 else ""
        label = "yes" if leaves else "no"
        if number >= count:
            country, label = ("Liechtenstein", "")
        news = rng.choice(("True", "False")) if number % 13 else ""
        customers.append(
            f'{email};"Name, {number}";{country};{age};{revenue};{news};'
            f"2024-05-{number % 28 + 1:02};{label};"
        )
    links = ["Referrer;Customer;Channel"]
    for number, email in enumerate(emails):
        for step in (3, 6):
            links.append(f"{emails[(number + step) % len(emails)]};{email};web")
    folder.mkdir(exist_ok=True)
    (folder / "customers.csv").write_text("\n".join(customers) + "\n", encoding="utf-8")
    (folder / "referrals.csv").write_text("\n".join(links) + "\n", encoding="utf-8")
