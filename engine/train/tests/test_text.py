"""The grammar and the spelling: standard library only."""

import random
import unittest

from recipe import grammar, morphology, numbers, script


class Sentences(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.grammar = grammar.Grammar()

    def test_the_same_seed_makes_the_same_sentences(self):
        one, two = random.Random(3), random.Random(3)
        other = grammar.Grammar()
        for _ in range(50):
            self.assertEqual(self.grammar.sentence(one), other.sentence(two))

    def test_every_target_is_in_the_vocabulary(self):
        rng = random.Random(1)
        for _ in range(2000):
            text = script.plain(" ".join(self.grammar.sentence(rng)))
            self.assertTrue(text and script.legal(text), text)
        for word in self.grammar.everything:
            self.assertTrue(script.legal(script.plain(word)), word)

    def test_there_are_thousands_of_words(self):
        self.assertGreater(len({script.plain(w) for w in self.grammar.everything}), 5000)

    def test_the_command_words_of_the_recordings_are_there(self):
        commands = {script.plain(w) for w in self.grammar.words["command"]}
        self.assertEqual(len(commands), 40)
        self.assertLessEqual({"نعم", "لا", "ابدأ", "إلغاء", "التالي"}, commands)

    def test_what_is_judged_is_not_trained(self):
        judged = {script.plain(" ".join(s)) for s in grammar.unseen()}
        rng = random.Random(2)
        made = {script.plain(" ".join(self.grammar.sentence(rng))) for _ in range(3000)}
        self.assertFalse(judged & made)


class Spelling(unittest.TestCase):
    def test_respelling(self):
        for text, want in [
            ("الشَّمْس", "أَشْشَمْس"),  # no lam before a sun letter, no shadda
            ("وَالقَمَر", "وَلْقَمَر"),
            ("سَيَّارَة", "سَيْيَارَ"),  # ta marbuta falls in pause
            ("نَعَم", "نَعَم"),
        ]:
            self.assertEqual(" ".join(script.speak(text.split(), random.Random(0))).replace("إِ", "أَ"), want)

    def test_plain(self):
        self.assertEqual(script.plain("السَّلَامُ عَلَيْكُمْ"), "السلام عليكم")
        self.assertFalse(script.legal("abc"))

    def test_numbers(self):
        rng = random.Random(5)
        say = lambda n: script.plain(numbers.number(n, rng))
        self.assertEqual(say(0), "صفر")
        self.assertEqual(say(11), "أحد عشر")
        self.assertEqual(say(105), "مئة وخمسة")
        self.assertIn(say(25), ("خمسة وعشرين", "خمسة وعشرون"))
        self.assertEqual(say(3000), "ثلاثة آلاف")

    def test_patterns(self):
        verbs, nouns = morphology.form_one("ك", "ت", "ب", "au")
        self.assertIn("يَكْتُب", verbs)
        self.assertIn("كَتَبْتُ", verbs)
        self.assertIn("مَكْتُوب", nouns)
        self.assertIn("اِسْتَعْمَل", morphology.derived("ع", "م", "ل", "10")[0])


if __name__ == "__main__":
    unittest.main()
