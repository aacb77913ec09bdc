import { ok } from '../shared/result.ts'
import { type KindRules, fault } from './field-kind.ts'
import { WITHOUT_OPTIONS } from './field-options.ts'

const TRUE_WORDS = new Set(['true', 'yes', 'y', '1', 'x', 'on', '✓', '☑'])
const FALSE_WORDS = new Set(['false', 'no', 'n', '0', 'off', '☐'])

export const checkboxRules: KindRules<'checkbox'> = {
  ...WITHOUT_OPTIONS,
  check: (value) => (typeof value === 'boolean' ? ok(value) : fault('not-boolean', 'Must be true or false.')),
  parse: (text) => {
    const word = text.trim().toLowerCase()
    if (TRUE_WORDS.has(word)) return ok(true)
    if (FALSE_WORDS.has(word)) return ok(false)
    return fault('not-boolean', `“${word.slice(0, 40)}” isn’t a yes/no value.`)
  },
  print: (value) => (value ? 'true' : 'false'),
  canBeUnique: false,
}
