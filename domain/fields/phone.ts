import { phoneDigits } from './phone-digits.ts'
import { type KindRules, fault } from './field-kind.ts'
import { checkText } from './text.ts'

/** Fewest and most digits of a number with its extension: short numbers have three, E.164 stops at 15. */
const MIN_DIGITS = 3
const MAX_DIGITS = 24
/** Longest number with everything people put between the digits. */
const MAX_PHONE_LENGTH = 80

/** Digits with what people put between them. */
const PHONE = /^\+?[\d ()./-]+(?: #\d{1,8})?$/
/** How people write an extension: `ext. 12`, `x12`, `#12`; spaces are single by then. */
const EXTENSION = / ?(?:,? ?\b(?:extension|ext\.?|x)|x|#|;ext=) ?(\d{1,8})$/i
const DASHES = /[\u2010-\u2015\u2212]/g

/** A phone number as written, tidied; searched by its digits, whatever separates them. */
export const phoneRules: KindRules<'phone'> = {
  check: (value, field) => {
    if (typeof value !== 'string') return fault('not-text', 'Must be text.')
    const number = normalPhone(value)
    return number === undefined
      ? fault('not-phone', `“${value.slice(0, 60)}” isn’t a phone number such as +43 1 234 56 78.`)
      : checkText(number, field, MAX_PHONE_LENGTH)
  },
  parse: (text, field) => phoneRules.check(text, field),
  print: (value) => value,
  canBeUnique: true,
}

/** A number as it is kept: plain digits, single spaces, an extension behind `#`. undefined for what is no number. */
export function normalPhone(text: string): string | undefined {
  const plain = text
    .normalize('NFKC')
    .replaceAll(DASHES, '-')
    // Before anything else: what looks for an extension walks spaces again and again.
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/^tel: ?/i, '')
  const tidy = plain.replace(EXTENSION, ' #$1').replace(/^\((\+\d+)\)/, '$1')
  const digitCount = tidy.replaceAll(/\D/g, '').length
  return PHONE.test(tidy) && digitCount >= MIN_DIGITS && digitCount <= MAX_DIGITS ? tidy : undefined
}

/** What to look for in `dialledDigits` when people look for a text; undefined where no number can hold it. */
export function phoneNeedle(text: string): string | undefined {
  if (text === '') return text
  const plain = text.normalize('NFKC').replaceAll(DASHES, '-')
  const digits = phoneDigits(plain)
  return /^[\d\s()+./#-]+$/.test(plain) && digits !== '' ? digits : undefined
}
