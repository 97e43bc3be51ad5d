package announcement_test

import (
	"bytes"
	"math"
	"os"
	"os/exec"
	"testing"

	"munadi/appliance/conversation/announcement"
	assetsmodel "munadi/assets/model"
	assetsort "munadi/assets/ort"
	"munadi/assets/scenarios"
	assetsvad "munadi/assets/vad"
	"munadi/engine"
	"munadi/engine/audio"
	"munadi/engine/heldout"
	"munadi/engine/ort"
	"munadi/store/call"
)

// TestMain runs the tests, or the decoder process of a recording.
func TestMain(m *testing.M) {
	if !heldout.DecodeAudio() {
		os.Exit(m.Run())
	}
}

func readPhrases(t testing.TB) *announcement.AnnouncementPhrases {
	t.Helper()
	p, err := announcement.ReadPhrases(scenarios.ScenarioFiles())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestWordings checks typical wordings of operators in Saudi Arabia, the Emirates, Egypt and elsewhere, and that what
// people say is none.
func TestWordings(t *testing.T) {
	t.Parallel()
	p := readPhrases(t)
	for text, want := range map[string]call.FailureReason{
		"عفواً، الهاتف المطلوب مغلق أو خارج نطاق التغطية":                                        call.Unavailable,
		"إن الهاتف المتحرك الذي طلبته مغلق أو خارج نطاق التغطية حاليا، يرجى الاتصال لاحقا":       call.Unavailable,
		"الهاتف الذي طلبته قد يكون مغلقا":                                                        call.SwitchedOff,
		"الموبايل المطلوب مقفول، الرقم الذي طلبته مقفل":                                          call.SwitchedOff,
		"المشترك المطلوب خارج نطاق التغطية، حاول مرة أخرى":                                       call.OutOfCoverage,
		"عفوا الرقم الذي طلبته غير موجود بالخدمة، يرجى التأكد من الرقم":                          call.NotInService,
		"الرقم المطلوب غير صحيح":                                                                 call.NotInService,
		"الرقم الذي طلبته خارج الخدمة مؤقتا":                                                     call.NotInService,
		"المشترك المطلوب مشغول بمكالمة أخرى":                                                     call.Busy,
		"الرقم الذي طلبته غير متاح حاليا":                                                        call.Unavailable,
		"لا يمكن الوصول إلى الهاتف المطلوب":                                                      call.Unavailable,
		"The mobile number you are calling is switched off or out of coverage. Please try later": call.Unavailable,
		"The number you have dialed is switched off":                                             call.SwitchedOff,
		"Sorry, the subscriber you are calling is out of coverage":                               call.OutOfCoverage,
		"The number you have dialled is not in service, please check the number":                 call.NotInService,
		"The customer you are calling is busy on another call":                                   call.Busy,
		"The person you are calling is not available at the moment":                              call.Unavailable,
		"ألو السلام عليكم مين معي":                                                               "",
		"أنا مشغول الآن اتصل بي بعد ساعة":                                                        "",
		"المحل مغلق اليوم":                                                                       "",
		"الرجاء الانتظار سيتم تحويل مكالمتك":                                                     "",
		"نعم موعدي يوم الأحد":                                                                    "",
		"":                                                                                       "",
	} {
		if got := p.ClassifyText(text); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// openRecognizer opens the embedded model.
func openRecognizer(t *testing.T) *announcement.Listener {
	t.Helper()
	zst, sum, version := assetsort.PackedLibrary()
	if len(zst) == 0 {
		t.Skip("no ONNX Runtime lies in assets/ort: make fetches it")
	}
	e, err := engine.Open(assetsmodel.BundleFS(), engine.Config{
		Library:  ort.PackedLibrary{Zstd: zst, SHA256: sum, Version: version},
		CacheDir: t.TempDir(), VAD: assetsvad.ModelBytes(),
	})
	if err != nil {
		t.Skipf("no model opens: %v", err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return &announcement.Listener{Phrases: readPhrases(t), Recognizer: e}
}

// speakText returns a text in espeak-ng's voice, as it comes over a telephone line, after a ringing tone.
func speakText(t *testing.T, text string) []int16 {
	t.Helper()
	wav, err := exec.CommandContext(t.Context(), "espeak-ng", "-v", "ar", "-s", "140", "--stdout", text).Output()
	if err != nil {
		t.Skipf("espeak-ng: %v", err)
	}
	wide, err := audio.DecodeAll(t.Context(), bytes.NewReader(wav), audio.DecodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	pcm := ringingTone(1)
	r := audio.NewResampler(audio.Rate, 8000)
	for _, v := range r.Flush(r.Push(nil, wide)) {
		pcm = append(pcm, audio.DecodeALaw(audio.EncodeALaw(int16(max(-1, min(1, v))*32767))))
	}
	return pcm
}

// ringingTone returns rings of 425 Hz, 1 s of 5 s (ITU-T E.180).
func ringingTone(rings int) []int16 {
	pcm := make([]int16, rings*5*8000)
	for i := range pcm {
		if i%(5*8000) < 8000 {
			pcm[i] = int16(4000 * math.Sin(2*math.Pi*425*float64(i)/8000))
		}
	}
	return pcm
}

// TestSpokenAnnouncements checks announcements with the built-in model, in a synthetic voice, and that ringing, music
// and speech that is no announcement are none. One that is not understood is no fault, one that is taken for another is.
func TestSpokenAnnouncements(t *testing.T) {
	t.Parallel()
	l := openRecognizer(t)
	understood := 0
	said := []struct {
		text string
		want call.FailureReason
	}{
		{"الهَاتِفُ المَطلُوبُ مُغلَقٌ أَو خَارِجَ نِطَاقِ التَّغطِيَة", call.Unavailable},
		{"الهَاتِفُ الَّذِي طَلَبتَهُ مُغلَقٌ", call.SwitchedOff},
		{"المُشتَرِكُ المَطلُوبُ خَارِجَ نِطَاقِ التَّغطِيَة", call.OutOfCoverage},
		{"عَفوًا، الرَّقمُ الَّذِي طَلَبتَهُ غَيرُ مَوجُودٍ بِالخِدمَة", call.NotInService},
		{"الرَّقمُ الَّذِي طَلَبتَهُ غَيرُ صَحِيح", call.NotInService},
		{"الرَّقمُ المَطلُوبُ خَارِجَ الخِدمَة", call.NotInService},
		{"المُشتَرِكُ المَطلُوبُ مَشغُولٌ بِمُكَالَمَةٍ أُخرَى، الرَّجَاءُ الاِتِّصَالُ لَاحِقًا", call.Busy},
		{"الرَّقمُ المَطلُوبُ غَيرُ مُتَاحٍ حَالِيًّا", call.Unavailable},
		{"لَا يُمكِنُ الوُصُولُ إِلَى الهَاتِفِ المَطلُوب", call.Unavailable},
	}
	for _, s := range said {
		got, err := l.HearAnnouncement(t.Context(), speakText(t, s.text))
		if err != nil || got != "" && got != s.want {
			t.Errorf("%s: %q, %v, want %q", s.text, got, err, s.want)
		}
		if got == s.want {
			understood++
		}
	}
	t.Logf("%d of %d are understood", understood, len(said))
	if understood < 6 {
		t.Errorf("%d of %d are understood", understood, len(said))
	}
	music := make([]int16, 10*8000)
	for i := range music {
		for n, hz := range []float64{262, 330, 392, 523} {
			music[i] += int16(1500 * math.Sin(2*math.Pi*hz*float64(i)/8000*(1+0.25*float64((i/2000+n)%4))))
		}
	}
	for name, sound := range map[string][]int16{
		"ringing": ringingTone(4), "music": music, "silence": make([]int16, 5*8000),
		"a person":  speakText(t, "أَلُو، السَّلَامُ عَلَيكُم، أَنَا مَشغُولٌ الآنَ"),
		"an advert": speakText(t, "أَهلًا بِكُم فِي شَرِكَتِنَا، عُرُوضُنَا مُستَمِرَّةٌ حَتَّى نِهَايَةِ الشَّهر"),
	} {
		if got, err := l.HearAnnouncement(t.Context(), sound); got != "" || err != nil {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}
