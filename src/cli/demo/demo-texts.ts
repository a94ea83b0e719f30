// What the visitors of the demo write, and what they hold in their hands.

export const whyNotFound = [
  'My size was sold out in every colour I liked.',
  'The search showed me boots when I asked for sandals.',
  'I could not filter by width.',
  'Zu viele Treffer, und der Filter für die Größe geht nicht.',
  'The page kept jumping while it loaded, I gave up.',
  "I was looking for last year's model and it is nowhere to be found.",
  'Prices only show after signing in??',
  'Je ne trouve pas les frais de livraison avant le paiement.',
  'Only found half of what was in the newsletter.',
  'No idea which of the three "running" categories is the right one.',
];

export const otherWishes = [
  'Show the stock of my local store.',
  'A wish list that survives signing out.',
  'Fewer pop-ups, please.',
  'Better photos of the soles 👟',
  'Real people in the chat.',
];

export const storeComments = {
  glad: [
    'Very kind lady at the shoe counter, she took her time.',
    'Clean, bright, and I found everything in ten minutes.',
    'Love the new layout!',
    'Best store in town. Keep it up 🙂',
  ],
  sad: [
    'Twenty minutes in the queue with one till open.',
    'Nobody to be found in the whole men’s section.',
    'The price at the till was not the one on the label.',
    'Fitting room was dirty and the lock was broken.',
    'They had the shoe online but not in the store.',
  ],
};

export const badgeComments: Readonly<Record<string, readonly string[]>> & {
  readonly 'T-5': readonly string[];
} = {
  'T-1': [
    'The page stays white when I go back.',
    'Cannot add to cart, the button does nothing.',
    'Login loop since this morning.',
    'Seite lädt ewig.',
    'Error 500 at checkout, twice.',
  ],
  'T-2': [
    'Too expensive compared with last year.',
    'Nice range, but too few wide sizes.',
    'Is the wool organic?',
  ],
  'T-3': ['Where is my parcel?', 'Delivered to the wrong neighbour.', 'Returns label did not print.'],
  'T-4': ['Great site, quick and clear.', 'Super einfach, danke!', 'The size adviser is spot on.'],
  'T-5': [
    'Please bring back the catalogue on paper.',
    'I would like to unsubscribe.',
    'Just looking around.',
  ],
};

export const appComments = [
  'Crashes when I scan a barcode.',
  'Forgets my sign-in every day.',
  'Dark mode would be nice.',
  'Slow on my old phone.',
  'I miss the filter for colours that the site has.',
  'Push messages at 6 in the morning, really?',
];

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
