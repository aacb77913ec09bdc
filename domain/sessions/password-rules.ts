import { foldText } from '../shared/text.ts'

/** Minimum length without a second factor. Source: NIST SP 800-63B-4, 3.1.1.2. */
export const PASSWORD_MIN_CHARACTERS = 15

/** Minimum length with a second factor. Source: NIST SP 800-63B-4, 3.1.1.2. */
export const PASSWORD_MIN_CHARACTERS_WITH_SECOND_FACTOR = 8

/** Long enough for password managers, and short enough to prevent denial of service through hashing. */
const PASSWORD_MAX_CHARACTERS = 1024

export type PasswordFault = 'too-short' | 'too-short-of-two' | 'too-long' | 'too-simple' | 'too-common' | 'holds-email'

export const PASSWORD_MESSAGES: { readonly [Fault in PasswordFault]: string } = {
  'too-short': `Use at least ${PASSWORD_MIN_CHARACTERS} characters. A few words in a row are easy to remember.`,
  'too-short-of-two': `Use at least ${PASSWORD_MIN_CHARACTERS_WITH_SECOND_FACTOR} characters, even with a second factor.`,
  'too-long': `Use at most ${PASSWORD_MAX_CHARACTERS} characters.`,
  'too-simple': 'This password repeats the same few characters. Use a wider variety of characters.',
  'too-common': 'This password uses very common words or sequences. Choose words that are hard to guess.',
  'holds-email': 'Choose a password that doesn’t contain your email address.',
}

/** Only the server can check passwords against the leaked-password list. */
export const LEAKED_PASSWORD_MESSAGE = 'This password appears in a list of leaked passwords. Choose another one.'

/** The user's details; text from them doesn't count toward password strength. */
export type PasswordOwner = {
  readonly email: string
  readonly name?: string
  /** With a second factor, the password can be shorter. */
  readonly hasSecondFactor?: boolean
}

const MIN_DIFFERENT_CHARACTERS = 5

/** A password made of common words is weak if it has at most this many other characters. */
const FREE_CHARACTERS = 3

export const needsSecondFactor = (password: string): boolean => [...password].length < PASSWORD_MIN_CHARACTERS

/** Used both by the form while typing and by the server. Character classes aren't required. */
export function checkPassword(password: string, owner: PasswordOwner): 'good' | PasswordFault {
  const characters = [...password]
  if (owner.hasSecondFactor === true) {
    if (characters.length < PASSWORD_MIN_CHARACTERS_WITH_SECOND_FACTOR) return 'too-short-of-two'
  } else if (characters.length < PASSWORD_MIN_CHARACTERS) return 'too-short'
  if (characters.length > PASSWORD_MAX_CHARACTERS) return 'too-long'

  const folded = foldText(password)
  if (owner.email !== '' && folded.includes(foldText(owner.email))) return 'holds-email'
  if (new Set(folded).size < MIN_DIFFERENT_CHARACTERS) return 'too-simple'
  return isMadeOfCommonParts(folded, owner) ? 'too-common' : 'good'
}

function isMadeOfCommonParts(folded: string, owner: PasswordOwner): boolean {
  const text = folded.replace(/[\s\p{P}\p{S}]+/gu, '')
  const own = new Set(foldText(`${owner.email} ${owner.name ?? ''}`).match(/[\p{L}\p{N}]{3,}/gu))
  return (
    minUncommonCharacters(
      text,
      (part) => COMMON_PASSWORD_WORDS.has(part) || own.has(part) || isKeyboardSequence(part),
    ) <= FREE_CHARACTERS
  )
}

/** Matches at least five characters in keyboard-row or alphabetical order, in either direction. */
function isKeyboardSequence(part: string): boolean {
  if (part.length < 5) return false
  const backwards = [...part].reverse().join('')
  return COMMON_SEQUENCES.some((row) => row.includes(part) || row.includes(backwards))
}

const MAX_PART = 40

/** Minimum number of characters not covered by common substrings. */
function minUncommonCharacters(text: string, isCommon: (part: string) => boolean): number {
  const left = [0]
  for (let end = 1; end <= text.length; end += 1) {
    let min = (left[end - 1] ?? 0) + 1
    for (let start = Math.max(0, end - MAX_PART); start < end; start += 1) {
      const before = left[start] ?? 0
      if (before < min && isCommon(text.slice(start, end))) min = before
    }
    left.push(min)
  }
  return left[text.length] ?? 0
}

/** Lowercase words from common passwords. When 15 characters are required, people combine these. */
const COMMON_PASSWORD_WORDS: ReadonlySet<string> = new Set(
  `
  password passwort passw0rd p@ssword p@ssw0rd pa55word passe motdepasse contrasena senha parola wachtwoord haslo heslo
  letmein letmeinnow welcome willkommen bienvenue hello hallo hola admin administrator root user guest test testing
  login logon signin access secret geheim private changeme change default temp temporary master superuser super
  qwerty qwertz azerty qwertyuiop qwertzuiop azertyuiop asdfgh asdfghjkl asdf zxcvbn zxcvbnm yxcvbnm qazwsx qazwsxedc
  qwer wasd poiuy lkjhg mnbvcx 1q2w3e 1q2w3e4r 1q2w3e4r5t 1qaz2wsx 1qaz 2wsx 3edc zaq12wsx q1w2e3r4 q1w2e3
  abc abcd abcde abcdef abcdefg abc123 a1b2c3 a1b2c3d4 abcd1234 aaa bbb xxx zzz
  iloveyou ilove loveyou iloveu love lovely loveme lover forever always never baby babygirl babyboy angel angels
  princess prince queen king sunshine sunny flower flowers rainbow butterfly heaven heart sweet sweetie honey sugar
  monkey dragon tiger lion bear eagle wolf shadow ninja samurai hunter ranger killer master warrior knight phoenix
  batman superman spiderman ironman hulk joker pokemon pikachu naruto sasuke goku vegeta minecraft fortnite roblox
  starwars starwars1 yoda skywalker vader matrix trustno1 trustnoone avatar hobbit gandalf frodo potter harrypotter
  football fussball soccer baseball basketball hockey tennis golf rugby cricket yankees cowboys lakers steelers eagles
  liverpool chelsea arsenal barcelona madrid realmadrid manchester united juventus milan bayern dortmund benfica
  michael michelle jennifer jessica ashley amanda daniel david robert thomas andrew joshua matthew james john william
  charlie maggie buster jordan jordan23 hannah nicole samantha thomas anthony richard joseph george jasmine lauren
  alexander alexandra elizabeth victoria patrick martin maria anna laura sarah julia sophie emma oliver lucas max
  peter paul mark luke adam eva lisa nina karin stefan andreas christian sebastian markus tobias florian
  summer winter spring autumn january february march april june july august september october november december
  sommer fruehling herbst monday tuesday wednesday thursday friday saturday sunday weekend holiday christmas birthday
  london paris berlin madrid roma rome vienna wien munich muenchen zurich amsterdam moscow newyork chicago boston
  texas florida california canada america england germany deutschland france italia espana brasil mexico india china
  computer internet google facebook twitter instagram microsoft windows apple iphone samsung android linux ubuntu
  server database network system office company business money dollar euro bitcoin crypto freedom peace liberty
  mustang ferrari porsche mercedes bmw audi toyota honda harley camaro corvette yamaha suzuki
  cookie cookies chocolate banana orange pepper ginger coffee pizza cheese peanut cherry strawberry
  purple yellow green black white silver golden diamond crystal
  blink182 metallica nirvana slipknot eminem tupac beatles queen music guitar drums
  jesus christ god godisgood blessed faith grace hope trinity church angel
  whatever nothing something someone nobody everyone please thankyou thanks fuckyou fuckoff fuck shit asshole bitch
  correcthorsebatterystaple correcthorse batterystaple opensesame sesame abracadabra
  dossier workspace records record collection collections owner
  the my is for and you me 4u to a i
  111 123 1234 12345 123456 1234567 12345678 123456789 1234567890 0123456789 987654321 9876543210 654321 4321 321
  000 007 112233 121212 123123 123321 101010 11111 111111 222222 333333 444444 555555 666666 696969 777777 888888
  999999 000000 131313 159753 147258 147258369 789456 789456123 741852963 852456
  2000 2001 2010 2018 2019 2020 2021 2022 2023 2024 2025 2026 2027 2028 2029 2030 1980 1985 1990 1995 1999
  `
    .trim()
    .split(/\s+/),
)

const COMMON_SEQUENCES: readonly string[] = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890123456789',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  '1q2w3e4r5t6y7u8i9o0p',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
]
