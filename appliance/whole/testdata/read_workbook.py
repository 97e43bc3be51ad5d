"""Reads a workbook with openpyxl as a stranger would: numbers of telephones are texts, times are dates without a zone. Prints how many rows it has."""
import datetime
import re
import sys

import openpyxl

rows = 0
for sheet in openpyxl.load_workbook(sys.argv[1]):
    for row in sheet.iter_rows(values_only=True):
        rows += 1
        for cell in row:
            assert not isinstance(cell, float), f"{cell!r} in {sheet.title}"
            assert not isinstance(cell, int) or cell < 1_000_000, f"{cell!r} in {sheet.title} is a number"
            assert not (isinstance(cell, str) and re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:.]+Z", cell)), f"{cell!r} is in UTC"
            assert not isinstance(cell, datetime.datetime) or cell.tzinfo is None
print(rows)
