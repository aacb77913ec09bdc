import { hasSelectOptions } from '#domain/fields/field.ts'
import { type Expression, type FormulaCalendar, readsClock } from './expression.ts'

/** A formula as text, for databases that call it as a function of its inputs. */
export type FormulaProgram = {
  readonly expression: Expression
  readonly calendar: { readonly now: string; readonly timeZone: string }
}

export function printProgram(expression: Expression, { now, timeZone }: FormulaCalendar): string {
  const program: FormulaProgram = {
    expression: withoutLabels(expression),
    calendar: { now: now.toISOString(), timeZone },
  }
  return JSON.stringify(program)
}

/** In characters; a statement contains the program of an index several times, and SQLite limits its length. */
const MAX_INDEXED_PROGRAM = 8_000

/** `hash` differs for programs with different results, almost certainly. */
type IndexedProgram = { readonly text: string; readonly hash: string }

/** The program of a formula that an index can contain; undefined if it depends on the time or is too long. */
export function indexedProgram(expression: Expression, calendar: FormulaCalendar): IndexedProgram | undefined {
  const known = indexed.get(expression)
  if (known?.timeZone === calendar.timeZone) return known.program
  const text = readsClock(expression) ? undefined : printProgram(expression, calendar)
  const program = text === undefined || text.length > MAX_INDEXED_PROGRAM ? undefined : { text, hash: hashOf(text) }
  indexed.set(expression, { timeZone: calendar.timeZone, program })
  return program
}

/** Checked formulas keep their identity until the definition changes. */
const indexed = new WeakMap<Expression, { readonly timeZone: string; readonly program: IndexedProgram | undefined }>()

/** The hash function cyrb53, which has 53 bits. */
function hashOf(text: string): string {
  let [high, low] = [0xdeadbeef, 0x41c6ce57]
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    high = Math.imul(high ^ unit, 2654435761)
    low = Math.imul(low ^ unit, 1597334677)
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(36)
}

/** Only what the evaluation reads, so that renaming a field doesn't change the program. */
function withoutLabels(expression: Expression): Expression {
  if (expression.node === 'call') return { ...expression, args: expression.args.map(withoutLabels) }
  if (expression.node !== 'field') return expression
  const { field } = expression
  const { id, kind } = field
  // The evaluation reads nothing else.
  return { ...expression, field: { id, kind, options: hasSelectOptions(field) ? field.options : {} } as typeof field }
}
