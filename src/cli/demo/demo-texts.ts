// What the visitors of the demo write, each in the language of their browser, and what they hold in their hands.

/** By language; somebody whose language has none writes English. */
export type Texts = Readonly<Record<string, readonly string[]>> & { readonly en: readonly string[] };

export const whyNotFound: Texts = {
  en: [
    'My size was sold out in every colour I liked.',
    'The search showed me boots when I asked for sandals.',
    'I could not filter by width.',
    "I was looking for last year's model and it is nowhere to be found.",
    'Prices only show after signing in??',
    'Only found half of what was in the newsletter.',
    'No idea which of the three "running" categories is the right one.',
  ],
  de: [
    'Zu viele Treffer, und der Filter für die Größe geht nicht.',
    'Meine Größe war in jeder Farbe ausverkauft.',
    'Ich finde die Pflegehinweise nicht.',
  ],
  fr: [
    'Je ne trouve pas les frais de livraison avant le paiement.',
    'Impossible de trier par largeur de chaussure.',
  ],
  es: ['No encuentro mi talla en ningún color.', 'El buscador me enseña botas cuando pido sandalias.'],
  ja: ['サイズで絞り込めません。', '在庫のある店舗がどこかわかりませんでした。'],
  ar: ['لم أجد مقاسي بأي لون.', 'البحث يعرض أحذية شتوية عندما أطلب صنادل.'],
};

/** In the week when the site was slow. */
export const whyTooSlow: Texts = {
  en: [
    'The page kept jumping while it loaded, I gave up.',
    'Every filter takes ten seconds since the weekend.',
    'Pictures never finished loading on my phone.',
    'Waited so long for the search that I bought elsewhere.',
  ],
  de: ['Seit Montag lädt jede Seite ewig.', 'Die Suche dreht sich nur noch im Kreis.'],
  fr: ['Le site est devenu très lent cette semaine.', 'Les photos ne se chargent plus.'],
  es: ['La página tarda muchísimo en cargar.'],
  ja: ['ページの読み込みがとても遅いです。', '画像がいつまでも表示されません。'],
  ar: ['الموقع بطيء جدًا هذا الأسبوع.'],
};

export const otherWishes: Texts = {
  en: [
    'Show the stock of my local store.',
    'A wish list that survives signing out.',
    'Fewer pop-ups, please.',
    'Better photos of the soles 👟',
    'Real people in the chat.',
  ],
  de: ['Bitte den Bestand meiner Filiale anzeigen.'],
  fr: ['Moins de fenêtres qui s’ouvrent toutes seules.'],
};

export const storeComments: Readonly<Record<'glad' | 'sad', Texts>> = {
  glad: {
    en: [
      'Very kind lady at the shoe counter, she took her time.',
      'Clean, bright, and I found everything in ten minutes.',
      'Love the new layout!',
      'Best store in town. Keep it up 🙂',
    ],
    es: ['Muy amables, y encontré todo enseguida.'],
  },
  sad: {
    en: [
      'Twenty minutes in the queue with one till open.',
      'Nobody to be found in the whole men’s section.',
      'The price at the till was not the one on the label.',
      'Fitting room was dirty and the lock was broken.',
      'They had the shoe online but not in the store.',
    ],
    es: ['Una sola caja abierta y veinte minutos de cola.'],
  },
};

/** By topic of the badge. */
export const badgeComments: Readonly<Record<string, Texts>> & { readonly 'T-5': Texts } = {
  'T-1': {
    en: [
      'The page stays white when I go back.',
      'Cannot add to cart, the button does nothing.',
      'Login loop since this morning.',
      'Error 500 at checkout, twice.',
    ],
    de: ['Seite lädt ewig.', 'Nach dem Anmelden lande ich wieder auf der Anmeldung.'],
    fr: ['Le bouton du panier ne réagit pas.'],
    es: ['Error al pagar, dos veces.'],
    ja: ['カートに入れるボタンが反応しません。'],
    ar: ['الصفحة تبقى بيضاء عند العودة إليها.'],
  },
  'T-2': {
    en: [
      'Too expensive compared with last year.',
      'Nice range, but too few wide sizes.',
      'Is the wool organic?',
    ],
    de: ['Schöne Auswahl, aber kaum breite Größen.'],
    fr: ['Beau choix, mais c’est plus cher que l’an dernier.'],
    ja: ['品ぞろえは良いですが、少し高いです。'],
  },
  'T-3': {
    en: ['Where is my parcel?', 'Delivered to the wrong neighbour.', 'Returns label did not print.'],
    de: ['Wo ist mein Paket?', 'Beim falschen Nachbarn abgegeben.'],
    fr: ['Où est mon colis ?'],
  },
  'T-4': {
    en: ['Great site, quick and clear.', 'The size adviser is spot on.'],
    de: ['Super einfach, danke!'],
    fr: ['Très clair, merci !'],
    es: ['Todo muy fácil, gracias.'],
    ja: ['とても使いやすいです。ありがとうございます。'],
    ar: ['موقع رائع وسريع، شكرًا.'],
  },
  'T-5': {
    en: ['Please bring back the catalogue on paper.', 'I would like to unsubscribe.', 'Just looking around.'],
    de: ['Bitte wieder einen Katalog auf Papier.'],
  },
};

/** About orders, since parcels come by another carrier. */
export const carrierComments: Texts = {
  en: [
    'The new carrier leaves my parcel at a shop five miles away.',
    'Tracking has said "on its way" for six days now.',
    'Third delivery in a row that came late.',
    'Driver never rang the bell, parcel went back.',
    'Express delivery took eight days.',
  ],
  de: [
    'Der neue Paketdienst klingelt nicht einmal.',
    'Seit sechs Tagen „unterwegs“, und niemand weiß wo.',
    'Schon die dritte Lieferung, die zu spät kommt.',
  ],
  fr: ['Le nouveau transporteur ne sonne jamais.', 'Colis annoncé lundi, toujours rien vendredi.'],
  es: ['El nuevo repartidor dejó el paquete en otra calle.', 'Llevo ocho días esperando el envío exprés.'],
  ja: ['配送業者が変わってから、いつも遅れて届きます。', '荷物の追跡が一週間更新されていません。'],
  ar: ['شركة التوصيل الجديدة تتأخر دائمًا.', 'طلبي في الطريق منذ ستة أيام ولم يصل.'],
};

export const appComments: Texts = {
  en: [
    'Crashes when I scan a barcode.',
    'Forgets my sign-in every day.',
    'Dark mode would be nice.',
    'Slow on my old phone.',
    'I miss the filter for colours that the site has.',
    'Push messages at 6 in the morning, really?',
  ],
  de: ['Stürzt ab, wenn ich einen Strichcode scanne.', 'Vergisst jeden Tag meine Anmeldung.'],
  fr: ['L’application se ferme quand je scanne un code.'],
};

type Device = Readonly<Record<string, string | number | boolean>>;

export const phones: readonly Device[] = [
  {
    deviceType: 'Phone',
    deviceName: 'Pixel 9',
    brandName: 'Google',
    osName: 'Android',
    osVersion: '16',
    screenWidth: 412,
    screenHeight: 923,
    pointingMethod: 'touchscreen',
    isTablet: false,
  },
  {
    deviceType: 'Phone',
    deviceName: 'iPhone 16',
    brandName: 'Apple',
    osName: 'iOS',
    osVersion: '26.1',
    screenWidth: 393,
    screenHeight: 852,
    pointingMethod: 'touchscreen',
    isTablet: false,
  },
];

export const desktops: readonly Device[] = [
  {
    deviceType: 'Desktop',
    browserName: 'Chrome',
    browserVersion: '142',
    osName: 'Windows',
    osVersion: '11',
    screenWidth: 1920,
    screenHeight: 1080,
    isTablet: false,
  },
  {
    deviceType: 'Desktop',
    browserName: 'Firefox',
    browserVersion: '144',
    osName: 'Linux',
    screenWidth: 2560,
    screenHeight: 1440,
    isTablet: false,
  },
  {
    deviceType: 'Desktop',
    browserName: 'Safari',
    browserVersion: '26',
    osName: 'macOS',
    osVersion: '26',
    screenWidth: 1512,
    screenHeight: 982,
    isTablet: false,
  },
];
