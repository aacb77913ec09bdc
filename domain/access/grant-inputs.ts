import { rollupsIn } from '#domain/formulas/value-field.ts'
import { optionField, storedFieldsAt } from '#domain/query/check/checked-filter.ts'
import {
  type Comparison,
  type Filter,
  type FormulaCondition,
  isFieldOperand,
  literalsOf,
  type Operator,
  pathsOf,
} from '../query/filter/filter.ts'
import { type OperandKind, type OperandShape, operandShape, readsText } from '../query/filter/operators.ts'
import { attributeNameOf } from '#domain/query/filter/attribute-markers.ts'
import { kindOfLeaf } from '../query/filter/read-literal.ts'
import {
  comparisonsOf,
  conditionsOf,
  type PathPart,
  partsOfPath,
  type PathContext,
} from '../query/filter/saved-filter.ts'
import { type Grant, isMarker } from './grant.ts'
import { SELF_CHOSEN_ATTRIBUTES } from './user.ts'

const EMPTINESS: readonly Operator[] = ['is empty', 'is not empty']
const EQUALITY: readonly Operator[] = ['=', '!=', 'in', ...EMPTINESS]
const ORDER: readonly Operator[] = ['<', '<=', '>', '>=', 'between']
const TEXT_SEARCH: readonly Operator[] = ['~', '!~', '^=', '$=']

/**
 * Operators supported in grant conditions, per value shape. Options, users, records and files are compared by ID only,
 * because names and option order can change without anyone reviewing the grants. Dates use the workspace time zone.
 */
const GRANT_OPERATORS: { readonly [Shape in OperandShape]: readonly Operator[] } = {
  text: [...EQUALITY, ...ORDER, ...TEXT_SEARCH],
  document: [...TEXT_SEARCH, ...EMPTINESS],
  number: [...EQUALITY, ...ORDER],
  boolean: ['=', '!=', ...EMPTINESS],
  date: [...EQUALITY, ...ORDER],
  'date-time': [...EQUALITY, ...ORDER],
  option: EQUALITY,
  record: EQUALITY,
  person: EQUALITY,
  file: EQUALITY,
  json: EMPTINESS,
  formula: [],
  id: [...EQUALITY, ...ORDER, ...TEXT_SEARCH],
}

export const grantOperators = (kind: OperandKind): readonly Operator[] => GRANT_OPERATORS[operandShape(kind)]

/** Reason that a grant can't use a condition, and the part of it that is invalid. */
export type GrantInputFault = {
  readonly condition: Comparison | FormulaCondition
  readonly part: 'op' | 'value'
  readonly message: string
}

/** First unsupported part of a condition; conditions that are invalid for the collection are reported elsewhere. */
export function grantInputFault(where: Filter, context: PathContext): GrantInputFault | undefined {
  for (const condition of conditionsOf(where)) {
    for (const comparison of comparisonsOf(condition)) {
      const fault = faultOf(comparison, context)
      if (fault) return { condition, ...fault }
    }
  }
  return undefined
}

/** Effective grant, in which conditions match nothing if they use operators that are no longer supported. */
export function effectiveGrant<Some extends Grant>(grant: Some, context: PathContext): Some {
  if (defaultsToUserInput(grant)) return { ...grant, where: NO_MATCH }
  return grant.where === undefined ? grant : { ...grant, where: effectiveCondition(grant.where, context) }
}

/** Whether a default value uses an attribute that users choose themselves. */
const defaultsToUserInput = ({ presets = {} }: Grant): boolean =>
  Object.values(presets).some((preset) => isMarker(preset) && SELF_CHOSEN_ATTRIBUTES.has(attributeNameOf(preset) ?? ''))

const NO_MATCH: Filter = { any: [] }

/** Returns the same object if the condition is fully supported. */
function effectiveCondition(where: Filter, context: PathContext): Filter {
  if (grantInputFault(where, context) === undefined) return where
  if ('all' in where) return { all: where.all.map((part) => effectiveCondition(part, context)) }
  return 'any' in where ? { any: where.any.map((part) => effectiveCondition(part, context)) } : NO_MATCH
}

/** Reason that a saved grant is no longer fully supported. */
export function grantFault(grant: Grant, context: PathContext): string | undefined {
  if (defaultsToUserInput(grant)) return SELF_CHOSEN_MESSAGE
  return grant.where && grantInputFault(grant.where, context)?.message
}

type Fault = Omit<GrantInputFault, 'condition'>

function faultOf(comparison: Comparison, context: PathContext): Fault | undefined {
  const { field: path, op, value } = comparison
  const left = partsOfPath(path, context)?.at(-1)
  if (!left) return undefined
  const rolledUp = pathsOf(comparison).find((each) => isRolledUp(partsOfPath(each, context)?.at(-1)))
  if (rolledUp !== undefined) return { part: 'op', message: rolledUpMessage(rolledUp) }
  const kind = kindOfLeaf(left.leaf)
  const isUnsupported = !grantOperators(kind).includes(op)
  const reason = isUnsupported ? unsupportedMessage(path, kind, op) : undefined
  if (reason !== undefined) return { part: 'op', message: reason }

  const attributes = literalsOf(comparison).flatMap((literal) => attributeNameOf(literal) ?? [])
  if (attributes.some((name) => SELF_CHOSEN_ATTRIBUTES.has(name)))
    return { part: 'value', message: SELF_CHOSEN_MESSAGE }
  if (attributes.length > 0 && op === '!=') return { part: 'value', message: MISSING_ATTRIBUTE_MESSAGE }
  const right = isFieldOperand(value) ? partsOfPath(value.field, context)?.at(-1) : undefined
  return right && differInOptions(left, right) ? { part: 'value', message: twoFieldsMessage(path) } : undefined
}

/**
 * Whether a value is calculated from other records. It is stored, so while it is recalculated, a user would keep access
 * that they have lost.
 */
const isRolledUp = (part: PathPart | undefined): boolean =>
  part !== undefined &&
  storedFieldsAt(part.leaf).some((id) => rollupsIn(part.collection.fields).some((field) => field.id === id))

/** Options of different fields don't share IDs, so they are compared by name. */
function differInOptions(left: PathPart, right: PathPart): boolean {
  const [one, other] = [optionField(left.leaf), optionField(right.leaf)]
  return one !== undefined && other !== undefined && one.id !== other.id
}

/**
 * Explains why an operator isn't supported and what to use instead; undefined if no filter supports the operator for
 * this kind.
 */
function unsupportedMessage(path: string, kind: OperandKind, op: Operator): string | undefined {
  switch (kind) {
    case 'user':
      return readsText(op)
        ? `Can’t compare “${path}” by name, because people can change their names. Use =, != or in with @me or a person.`
        : undefined
    case 'select':
    case 'multi-select':
    case 'state':
      return readsText(op)
        ? `Can’t compare “${path}” by option name, because options can be renamed. Use =, != or in.`
        : `Can’t compare “${path}” by option order, because options can be reordered. Use “in” with a list of options.`
    case 'relation':
    case 'reverse':
      return readsText(op)
        ? `Can’t compare “${path}” by record title. Use a field of the linked record, such as ${path}.name, or use =, != or in.`
        : undefined
    case 'files':
      return readsText(op)
        ? `Can’t compare “${path}” by file name, because uploaders choose file names. Use “is empty” or “is not empty”.`
        : undefined
    default:
      return undefined
  }
}

const rolledUpMessage = (path: string): string =>
  `Can’t use “${path}” in a permission: it is calculated from other records, so it can be out of date while they are recalculated. Use a field of the linked record instead.`

const SELF_CHOSEN_MESSAGE =
  'Grants can’t use @me.name or @me.email, because users set their own name and inviters set the email. Use @me or a user attribute.'

const MISSING_ATTRIBUTE_MESSAGE =
  'With !=, users without this attribute would match every record. Use = or in, and list the allowed values.'

const twoFieldsMessage = (path: string): string =>
  `Can’t compare “${path}” with another select field by option name, because options can be renamed. Compare it with a specific option instead.`
