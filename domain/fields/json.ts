import { utf8Length } from '../shared/text.ts'
import { type Result, ok } from '../shared/result.ts'
import { type KindRules, type ValueFault, fault } from './field-kind.ts'
import { WITHOUT_OPTIONS } from './field-options.ts'

/** Size of the compact text in UTF-8 bytes; larger values would slow down lists. */
const MAX_JSON_BYTES = 100_000
/** Nesting is limited because parsers recurse. */
const MAX_JSON_DEPTH = 100

/** Any JSON except null, which means empty; stored as compact text. */
export const jsonRules: KindRules<'json'> = {
  ...WITHOUT_OPTIONS,
  check: (value) => {
    const wrong = faultIn(value, 0)
    if (wrong) return { ok: false, fault: wrong }
    const text = JSON.stringify(value)
    const byteCount = utf8Length(text)
    return byteCount <= MAX_JSON_BYTES
      ? ok(text)
      : fault('too-long', `Has ${byteCount} bytes; at most ${MAX_JSON_BYTES} are allowed.`)
  },
  parse: (text, field) => {
    const value = readJson(text)
    return value.ok ? jsonRules.check(value.value, field) : value
  },
  print: (value) => value,
  canBeUnique: false,
}

function readJson(text: string): Result<unknown, ValueFault> {
  // JSON.parse reports errors only by throwing.
  try {
    return ok(JSON.parse(text))
  } catch {
    return fault('not-json', 'Must be JSON, such as {"size": 3}.')
  }
}

/** Reason that a value can't be stored as JSON without loss. */
function faultIn(value: unknown, depth: number): ValueFault | undefined {
  if (depth > MAX_JSON_DEPTH) return fault('too-deep', `Must not be nested deeper than ${MAX_JSON_DEPTH} levels.`).fault
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined
  if (typeof value === 'number') return faultInNumber(value)
  if (typeof value !== 'object') return NOT_JSON
  if (Object.hasOwn(value, '__proto__')) return RESERVED_KEY
  for (const part of Object.values(value)) {
    const wrong = faultIn(part, depth + 1)
    if (wrong) return wrong
  }
  return undefined
}

/** The JSON parser rounds integers beyond 2^53, so they are rejected. */
function faultInNumber(value: number): ValueFault | undefined {
  if (!Number.isFinite(value)) return NOT_JSON
  const isRounded = Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?\d+$/.test(String(value))
  return isRounded
    ? fault('too-precise', 'Contains a whole number with more than 15 digits. Put it in quotes.').fault
    : undefined
}

/** Requests with this key are rejected, because programs that merge objects could be attacked with it. */
const RESERVED_KEY = fault('not-json', 'Must not have a key named “__proto__”.').fault

const NOT_JSON = fault('not-json', 'Must be a valid JSON value.').fault
