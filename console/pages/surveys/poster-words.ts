// What a poster says, in the languages of surveys: it is read by those who answer, not by those who print it.

interface PosterWords {
  readonly call: string;
  readonly or: string;
}

const words: Readonly<Record<string, PosterWords>> = {
  en: { call: 'Scan the code and tell us what you think.', or: 'Or open this address:' },
  de: { call: 'Scannen Sie den Code und sagen Sie uns Ihre Meinung.', or: 'Oder öffnen Sie diese Adresse:' },
  fr: { call: 'Scannez le code et donnez-nous votre avis.', or: 'Ou ouvrez cette adresse :' },
  es: { call: 'Escanee el código y díganos qué opina.', or: 'O abra esta dirección:' },
  it: { call: 'Inquadri il codice e ci dica cosa ne pensa.', or: 'Oppure apra questo indirizzo:' },
  nl: { call: 'Scan de code en vertel ons wat u vindt.', or: 'Of open dit adres:' },
  pt: { call: 'Leia o código e diga-nos o que acha.', or: 'Ou abra este endereço:' },
  pl: { call: 'Zeskanuj kod i powiedz nam, co myślisz.', or: 'Albo otwórz ten adres:' },
  sv: { call: 'Skanna koden och berätta vad du tycker.', or: 'Eller öppna den här adressen:' },
  ja: {
    call: 'コードを読み取って、ご意見をお聞かせください。',
    or: 'または、このアドレスを開いてください：',
  },
  zh: { call: '扫描二维码，告诉我们您的看法。', or: '或打开此网址：' },
  ar: { call: 'امسح الرمز وأخبرنا برأيك.', or: 'أو افتح هذا العنوان:' },
};

export function posterWords(language: string): PosterWords {
  return words[language] ?? words.en!;
}

export function directionOf(language: string): 'rtl' | 'ltr' {
  return language === 'ar' ? 'rtl' : 'ltr';
}
