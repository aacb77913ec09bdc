import { ok } from '../shared/result.ts'
import { type KindRules, fault } from './field-kind.ts'
import { WITHOUT_OPTIONS } from './field-options.ts'

/** Symbols for yes and no, and unambiguous words in every UI language. */
const YES_WORDS = new Set(['true', 'yes', 'y', 'on', 'ja', 'j', 'wahr', 'an', 'x', '✓', '✔', '☑'])
const NO_WORDS = new Set(['false', 'no', 'n', 'off', 'nein', 'falsch', 'aus', '☐', '✗', '✘'])

/** Whether a word means yes or no; 1 and 0 are excluded because they can be counts. */
export function readYesNo(text: string): boolean | undefined {
  const word = text.trim().toLowerCase()
  if (YES_WORDS.has(word)) return true
  return NO_WORDS.has(word) ? false : undefined
}

export const checkboxRules: KindRules<'checkbox'> = {
  ...WITHOUT_OPTIONS,
  check: (value) => (typeof value === 'boolean' ? ok(value) : fault('not-boolean', 'Must be true or false.')),
  parse: (text) => {
    const word = text.trim()
    const isYes = word === '1' || word === '0' ? word === '1' : readYesNo(word)
    return isYes === undefined ? fault('not-boolean', `“${word.slice(0, 40)}” isn’t a valid yes/no value.`) : ok(isYes)
  },
  print: (value) => (value ? 'true' : 'false'),
  canBeUnique: false,
}
