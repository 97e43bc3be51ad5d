"""Numbers, hours and dates in spoken Arabic, vocalized, in the written and the everyday forms."""

UNITS = ["صِفْر", "وَاحِد", "اِثْنَيْن", "ثَلَاثَة", "أَرْبَعَة", "خَمْسَة", "سِتَّة", "سَبْعَة", "ثَمَانِيَة", "تِسْعَة", "عَشَرَة"]
SHORT = ["", "", "", "ثَلَاث", "أَرْبَع", "خَمْس", "سِتّ", "سَبْع", "ثَمَان", "تِسْع", "عَشْر"]
TENS = ["", "", "عِشْرِين", "ثَلَاثِين", "أَرْبَعِين", "خَمْسِين", "سِتِّين", "سَبْعِين", "ثَمَانِين", "تِسْعِين"]
HOURS = ["الوَاحِدَة", "الثَّانِيَة", "الثَّالِثَة", "الرَّابِعَة", "الخَامِسَة", "السَّادِسَة", "السَّابِعَة", "الثَّامِنَة", "التَّاسِعَة", "العَاشِرَة",
         "الحَادِيَة عَشْرَة", "الثَّانِيَة عَشْرَة"]
ORDINALS = ["الأَوَّل", "الثَّانِي", "الثَّالِث", "الرَّابِع", "الخَامِس", "السَّادِس", "السَّابِع", "الثَّامِن", "التَّاسِع", "العَاشِر"]
PARTS_OF_HOUR = ["", "", "", "وَالنِّصْف", "وَالنِّصْف", "وَالرُّبْع", "إِلَّا رُبْع", "وَالثُّلُث", "إِلَّا ثُلُث", "وَعَشْر دَقَائِق", "وَخَمْس دَقَائِق"]


def number(n, rng):
    """n below 10,000 in words."""
    if n <= 10:
        return UNITS[n] if n != 2 or rng.random() < 0.7 else "اِثْنَان"
    if n < 20:
        return {11: "أَحَد عَشَر", 12: "اِثْنَا عَشَر"}.get(n) or f"{UNITS[n - 10]} عَشَر"
    if n < 100:
        tens = TENS[n // 10]
        if rng.random() < 0.15:
            tens = tens[:-3] + "\u064fون"
        return tens if n % 10 == 0 else f"{UNITS[n % 10]} وَ{tens}"
    if n < 1000:
        head = {1: "مِئَة", 2: "مِئَتَيْن"}.get(n // 100) or SHORT[n // 100] + "مِئَة"
    else:
        head = {1: "أَلْف", 2: "أَلْفَيْن"}.get(n // 1000) or f"{UNITS[n // 1000]} آلَاف"
    rest = n % (100 if n < 1000 else 1000)
    return head if rest == 0 else f"{head} وَ{number(rest, rng)}"


def any_number(rng):
    """A number as callers say it: mostly small ones."""
    top = rng.choice((10, 20, 100, 100, 100, 1000, 1000, 9999))
    n = rng.randrange(top + 1)
    return number(n - n % rng.choice((1, 1, 5, 10)) if n > 20 else n, rng)


def digits(rng):
    """A telephone number or a part of one, digit by digit."""
    return " ".join(number(rng.randrange(10), rng) for _ in range(rng.choice((3, 4, 4, 5, 6, 8, 10))))


def hour(rng):
    said = [rng.choice(HOURS), rng.choice(PARTS_OF_HOUR)]
    if rng.random() < 0.15:
        said[0] = number(rng.randrange(1, 13), rng)
    return " ".join(x for x in said if x)


def date(rng, days, months):
    """A day, said as a weekday, as a word or by the calendar."""
    kind = rng.random()
    if kind < 0.4:
        return rng.choice(("يَوْم ", "", "يَوْم ")) + rng.choice(days) + rng.choice(("", "", " القَادِم"))
    if kind < 0.6:
        return rng.choice(("غَدًا", "بُكْرَة", "بَعْد غَد", "اليَوْم", "اللَّيْلَة", "الأُسْبُوع القَادِم", "آخِر الأُسْبُوع", "نِهَايَة الشَّهْر"))
    day = rng.choice(ORDINALS) if rng.random() < 0.4 else number(rng.randrange(1, 31), rng)
    return f"{day} {rng.choice(('', 'مِن '))}{rng.choice(months)}"
