import { linkedCollection } from '#domain/fields/field.ts'
import type { OptionId } from '#domain/shared/ids.ts'
import { type Result, fail, ok } from '#domain/shared/result.ts'
import { type CheckedPair, type Leaf, type PairSign, type Source, optionField } from './checked-filter.ts'
import type { Comparison, FieldOperand, Operator } from '../filter/filter.ts'
import { cannotCompare, kindLabel, type OperandKind, operandShape, takesKind } from '../filter/operators.ts'
import { MAX_PATH_RELATIONS } from '../query-limits.ts'
import { kindOfLeaf } from '../filter/read-literal.ts'
import { resolvePath, visibleRelation } from './resolve-path.ts'
import type { QueryEnvironment } from './query-context.ts'

export type FieldComparison = Omit<Comparison, 'value'> & { readonly value: FieldOperand }

type PairFault = { readonly part: 'op' | 'value'; readonly message: string }

type Side = { readonly path: string; readonly source: Source; readonly kind: OperandKind }

const PAIR_SIGNS: { readonly [Op in Operator]?: PairSign } = {
  '=': '=',
  '!=': '=',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
}

export const takesField = (op: Operator): boolean => PAIR_SIGNS[op] !== undefined

/** Checks a comparison of two fields; `found` is the resolved left side. */
export function checkPair(
  { field, op, value }: FieldComparison,
  found: Source,
  environment: QueryEnvironment,
): Result<CheckedPair, PairFault> {
  const left = sideAt(field, found)
  if (!takesKind(op, left.kind)) return fail({ part: 'op', message: cannotCompare(field, left.kind, op) })
  const sign = PAIR_SIGNS[op]
  if (sign === undefined)
    return fail({ part: 'value', message: `${op} needs text in double quotes: ${op} "${value.field}".` })

  const other = resolvePath(value.field, environment)
  if (!other.ok) return fail({ part: 'value', message: other.fault + suggestValue(other.fault, field, value) })
  const right = sideAt(value.field, other.value)
  if (found.steps.length + other.value.steps.length > MAX_PATH_RELATIONS)
    return fail({
      part: 'value',
      message: `The two paths together can contain at most ${MAX_PATH_RELATIONS} linked record fields.`,
    })
  const mismatch = mismatchMessage(op, left, right, environment)
  if (mismatch !== undefined) return fail({ part: 'value', message: mismatch })

  const options = comparedOptions(sign, left.source.leaf, right.source.leaf)
  if (!options) return fail({ part: 'value', message: noCommonOrderMessage(left, right) })
  return ok({
    type: 'pair',
    left: { ...visibleRelation(left.source, environment), options: options.left },
    right: { ...visibleRelation(right.source, environment), options: options.right },
    sign,
    isNegated: op === '!=',
  })
}

const sideAt = (path: string, source: Source): Side => ({ path, source, kind: kindOfLeaf(source.leaf) })

/** An unknown word is often unquoted text, or means “is empty”. */
function suggestValue(fault: string, path: string, { field }: FieldOperand): string {
  if (/^(?:null|empty|nil|none|undefined)$/i.test(field)) return ` Did you mean “${path} is empty”?`
  // If the message ends with a question mark, it already suggests a field.
  return fault.endsWith('?') ? '' : ` Put text in double quotes: "${field.slice(0, 80)}".`
}

function mismatchMessage(op: Operator, left: Side, right: Side, { home }: QueryEnvironment): string | undefined {
  const [one, other] = [left, right].map((side) => comparableAs(side, home.collection.id))
  const [has, otherHas] = [kindLabel(left.kind), kindLabel(right.kind)]
  if (one === undefined) return `“${left.path}” contains ${has}, which can’t be compared with a field.`
  if (one === other) return takesKind(op, right.kind) ? undefined : cannotCompare(right.path, right.kind, op)
  if (one.startsWith(RECORDS) && other?.startsWith(RECORDS) === true)
    return `“${left.path}” and “${right.path}” refer to records of different collections.`
  const isTime = [left.kind, right.kind].every((kind) => kind === 'date' || kind === 'date-time')
  return isTime
    ? `“${left.path}” contains ${has} and “${right.path}” ${otherHas}. They can’t be compared, because the start of a day depends on the time zone.`
    : `“${left.path}” contains ${has} and “${right.path}” ${otherHas}, which can’t be compared.`
}

const RECORDS = 'records:'

/** Two sides are comparable if these keys are equal; undefined: never comparable. */
function comparableAs({ source, kind }: Side, home: string): string | undefined {
  const shape = operandShape(kind)
  switch (shape) {
    case 'text':
      // Phone numbers are compared by their digits.
      return kind === 'phone' ? kind : shape
    case 'record':
    case 'id':
      return RECORDS + targetCollection(source, home)
    case 'number':
    case 'option':
    case 'boolean':
    case 'date':
    case 'date-time':
    case 'person':
      return shape
    case 'file':
    case 'document':
    case 'json':
    case 'formula':
      return undefined
  }
}

/** Collection that a relation links to, or whose records an ID identifies. */
function targetCollection({ steps, leaf }: Source, home: string): string {
  return (leaf.type === 'field' ? linkedCollection(leaf.field) : undefined) ?? steps.at(-1)?.into ?? home
}

type ComparedOptions = { readonly left: readonly OptionId[] | null; readonly right: readonly OptionId[] | null }

const AS_STORED: ComparedOptions = { left: null, right: null }

/** Options of the same field are compared by field order, options of two fields by name; otherwise undefined. */
function comparedOptions(sign: PairSign, left: Leaf, right: Leaf): ComparedOptions | undefined {
  const [one, other] = [optionField(left), optionField(right)]
  if (!one || !other || (one.id === other.id && sign === '=')) return AS_STORED
  if (one.id === other.id) {
    const all = one.options.choices.map(({ id }) => id)
    return { left: all, right: all }
  }
  if (sign !== '=') return undefined
  const named = new Map(other.options.choices.map(({ id, name }) => [name, id]))
  const same = one.options.choices.filter(({ name }) => named.has(name))
  return { left: same.map(({ id }) => id), right: same.flatMap(({ name }) => named.get(name) ?? []) }
}

const noCommonOrderMessage = (left: Side, right: Side): string =>
  `“${left.path}” and “${right.path}” have different options, so they can only be compared with = and !=.`
