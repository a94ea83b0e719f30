// What people take when they are asked for something long, and what is therefore tried first. Everything is lower case,
// letters and digits alone. Repeats, runs along the keyboard, years and names are found by rule (password-rules.ts), so
// that they need no entries here.

const lines = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== '');

/** Words that begin, end or make up guessed passwords. A password that is little more than three of them is refused. */
export const commonWords: readonly string[] = lines(`
  password passwort passwd passphrase passcode motdepasse contrasena contrasenha haslo parola parole wachtwoord
  losenord adgangskode salasana senha kennwort geheim secret secreto segreto private privat
  welcome willkommen bienvenue bienvenido benvenuto hello hallo bonjour ciao hola goodbye
  letmein letmeinnow opensesame sesame access entry enter login logon signin signon username user benutzer
  admin administrator administrateur root superuser sysadmin system server manager master operator owner guest
  account konto compte default changeme change changeit newpassword temporary temp testing test tester demo example
  sample company business office work arbeit computer laptop internet network database service support website
  iloveyou iloveu ichliebedich jetaime tequiero tiamo love liebe amour forever always mylove
  monkey dragon sunshine princess prinzessin princesse football fussball soccer futbol baseball basketball hockey
  superman batman spiderman starwars pokemon minecraft naruto letsgo killer shadow hunter ranger
  trustno one nobody something anything nothing everything whatever qwerty qwertz azerty asdf asdfgh zxcvbn
  qazwsx qweasd qweasdzxc abc abcd abcdef
  january february march april june july august september october november december
  januar februar maerz mai juni juli oktober dezember janvier fevrier mars avril juin juillet aout septembre octobre
  novembre decembre spring summer autumn winter fruehling sommer herbst printemps automne hiver
  monday tuesday wednesday thursday friday saturday sunday
  michael jennifer jessica daniel thomas andrew charlie george jordan ashley matthew robert joshua
  liverpool chelsea arsenal barcelona realmadrid juventus bayern
  google facebook microsoft windows apple iphone samsung android linux ubuntu amazon youtube twitter linkedin
  survey feedback customer kunde client soundings
  this that thisis thatis isthe mein meine mypass mypassword your yours please bitte with and und the mon das der die is my
`);

/** Long ones that are known as a whole. */
export const commonPhrases: readonly string[] = lines(`
  correcthorsebatterystaple correcthorsebattery horsebatterystaple batterystaplehorse troubadour tr0ubador3
  thequickbrownfox thequickbrownfoxjumpsoverthelazydog quickbrownfoxjumps jumpsoverthelazydog
  loremipsumdolor loremipsumdolorsitamet dolorsitametconsectetur
  maytheforcebewithyou theforcebewithyou iamyourfather lukeiamyourfather useforceluke
  tobeornottobe tobeornottobethatisthequestion thatisthequestion onceuponatime onceuponatimethere
  itwasthebestoftimes itwasadarkandstormynight callmeishmael allyourbasearebelongtous
  speakfriendandenter onedoesnotsimply myprecious oneringtorulethemall winteriscoming youknownothingjonsnow
  supercalifragilistic supercalifragilisticexpialidocious antidisestablishmentarianism
  donaudampfschifffahrt donaudampfschiffahrtsgesellschaft rindfleischetikettierung anticonstitutionnellement
  pneumonoultramicroscopic hippopotomonstrosesquippedaliophobia llanfairpwllgwyngyll
  iwillalwaysloveyou iloveyousomuch iloveyouforever iloveyoumorethan ilovemyfamily ilovemychildren ilovemyhusband
  ilovemywife ilovejesuschrist jesuschristislord jesusismysavior jesuslovesme godisgoodallthetime inthenameofgod
  inthebeginning intheb3ginning hailmaryfullofgrace ourfatherwhoartinheaven forgodsolovedtheworld
  happybirthday happybirthdaytoyou merrychristmas happynewyear twinkletwinkle twinkletwinklelittlestar
  maryhadalittlelamb humptydumptysat rowrowrowyourboat oldmacdonaldhadafarm jinglebells
  neverforgetthispassword idontknowmypassword iforgotmypassword forgotmypassword forgetmypassword thisismypassword
  thisisapassword thisisnotapassword thisismynewpassword mypasswordispassword mypasswordissecure
  thepasswordispassword averylongpassword averysecurepassword verystrongpassword averystrongpassword securepassword
  supersecretpassword topsecretpassword mysecretpassword asecurepassword longpassword reallylongpassword
  fifteencharacters fifteencharacter fifteenletters atleastfifteen atleast15characters 15characterslong
  sixteencharacters twentycharacters minimumfifteencharacters notmypassword nopassword nopasswordhere nopasswordneeded
  dasistmeinpasswort meinpasswort meinneuespasswort meingeheimespasswort dasistgeheim sehrsicherespasswort
  ichhabekeinpasswort passwortvergessen habeichvergessen sesamoeffnedich sesamouvretoi ouvretoisesame
  ceciestmonmotdepasse monmotdepasse motdepassesecret jenesaispas estaesmicontrasena micontrasena
  letmeinplease pleaseletmein letmeinrightnow openthedoor openthedoorplease youshallnotpass
  knockknockwhosthere whoamiwhoareyou whatisthepassword whatsthepassword iamtheadministrator iamtheadmin
  administratorpassword adminadminadmin rootrootrootroot changemeplease pleasechangeme changethispassword
  pleasechangethis changemenow defaultpassword temporarypassword initialpassword yourpasswordhere insertpasswordhere
  enterpasswordhere typepasswordhere examplepassword samplepassword testpassword testtesttest demopassword
  abracadabra hocuspocus expectopatronum wingardiumleviosa avadakedavra alohomora harrypotter hogwartsexpress
  iamironman batmanbegins spidermanhomecoming theavengers gameofthrones lordoftherings thelordoftherings starwars
  backtothefuture hakunamatata letitgoletitgo tothemoonandback toinfinityandbeyond houstonwehaveaproblem
  elementarymydearwatson manchesterunited manchestercity realmadrid fcbarcelona fcbayernmuenchen newyorkyankees
  dallascowboys newenglandpatriots goldenstatewarriors losangeleslakers
  unitedstatesofamerica newyorkcity losangeles sanfrancisco greatbritain godsavethequeen godsavetheking
  republiquefrancaise liberteegalitefraternite einigkeitundrechtundfreiheit
  1q2w3e4r5t6y7u8i 1q2w3e4r5t6y7u8i9o0p q1w2e3r4t5y6u7i8 q1w2e3r4t5y6u7i8o9p0 1qaz2wsx3edc4rfv 1qaz2wsx3edc4rfv5tgb
  zaq12wsxcde34rfv zaq1xsw2cde3vfr4 1qazxsw23edcvfr4 qazwsxedcrfvtgb qazwsxedcrfvtgbyhn qwertyasdfzxcv
  qweasdzxcrtyfgh 1q2w3e4r5t1q2w3e asdfghjklqwertyuiop 159753258456 147258369147258 741852963741852 a1b2c3d4e5f6g7h8
  a1s2d3f4g5h6j7k8 1a2b3c4d5e6f7g8h 12qwaszx34erdfcv 0987654321qwerty 314159265358979 271828182845904 112358132134558
  123123123123123 112233445566778 111222333444555 098765432109876 deadbeefdeadbeef cafebabecafebabe 0123456789abcdef
`);
