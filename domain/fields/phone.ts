import { phoneDigits } from '../shared/text.ts'
import { type KindRules, fault } from './field-kind.ts'
import { TEXT_OPTIONS } from './field-options.ts'
import { checkText } from './text.ts'

/** Digits including the extension: short numbers have three digits, E.164 allows 15. */
const MIN_DIGITS = 3
const MAX_DIGITS = 24
const MAX_PHONE_LENGTH = 80

/** Allowed digits and separators. */
const PHONE = /^\+?[\d ()./-]+(?: #\d{1,8})?$/
/** Extension formats, matched after spaces are collapsed: `ext. 12`, `x12`, `#12`. */
const EXTENSION = / ?(?:,? ?\b(?:extension|ext\.?|x)|x|#|;ext=) ?(\d{1,8})$/i
const DASHES = /[\u2010-\u2015\u2212]/g

/** Stored in normalized form; searched by digits. */
export const phoneRules: KindRules<'phone'> = {
  ...TEXT_OPTIONS,
  check: (value, field) => {
    if (typeof value !== 'string') return fault('not-text', 'Must be text.')
    const number = normalPhone(value)
    return number === undefined
      ? fault('not-phone', `“${value.slice(0, 60)}” isn’t a valid phone number. Example: +43 1 234 56 78.`)
      : checkText(number, field, MAX_PHONE_LENGTH)
  },
  parse: (text, field) => phoneRules.check(text, field),
  print: (value) => value,
  canBeUnique: true,
}

/** Stored form: ASCII digits, single spaces, and an extension after `#`. */
export function normalPhone(text: string): string | undefined {
  const plain = text
    .normalize('NFKC')
    .replaceAll(DASHES, '-')
    // Spaces are collapsed first, because `EXTENSION` is slow on long runs of spaces.
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/^tel: ?/i, '')
  const tidy = plain.replace(EXTENSION, ' #$1').replace(/^\((\+\d+)\)/, '$1')
  const digitCount = tidy.replaceAll(/\D/g, '').length
  return PHONE.test(tidy) && digitCount >= MIN_DIGITS && digitCount <= MAX_DIGITS ? tidy : undefined
}

/** Search form of a text; undefined if no phone number can contain it. */
export function phoneNeedle(text: string): string | undefined {
  if (text === '') return text
  const plain = text.normalize('NFKC').replaceAll(DASHES, '-')
  const digits = phoneDigits(plain)
  return /^[\d\s()+./#-]+$/.test(plain) && digits !== '' ? digits : undefined
}
