import {
  type Comparison,
  type FieldOperand,
  type Filter,
  type FilterLiteral,
  isFieldOperand,
  isList,
} from './filter.ts'

/**
 * Inverse of `parseFilter`. Groups with fewer than two conditions have no text form and are printed as equivalent
 * conditions.
 */
export function printFilter(filter: Filter): string {
  return 'all' in filter && filter.all.length === 0 ? '' : printNode(filter)
}

function printNode(filter: Filter): string {
  if ('all' in filter) return filter.all.length === 0 ? 'id is not empty' : filter.all.map(printPart).join(' && ')
  if ('formula' in filter) return filter.formula
  if ('any' in filter) return filter.any.length === 0 ? 'id is empty' : filter.any.map(printPart).join(' || ')
  return printComparison(filter)
}

function printPart(part: Filter, _at: number, siblings: readonly Filter[]): string {
  const text = printNode(part)
  return siblings.length > 1 && groupSize(part) > 1 ? `(${text})` : text
}

function groupSize(filter: Filter): number {
  const parts = 'all' in filter ? filter.all : 'any' in filter ? filter.any : undefined
  if (!parts) return 1
  const [only] = parts
  return parts.length === 1 && only ? groupSize(only) : parts.length
}

function printComparison({ field, op, value }: Comparison): string {
  if (value === undefined) return `${field} ${op}`
  if (!isList(value)) return `${field} ${op} ${printOperand(value)}`
  return `${field} ${op} ${op === 'between' ? value.map(printLiteral).join(' and ') : `(${value.map(printLiteral).join(', ')})`}`
}

const printOperand = (value: FilterLiteral | FieldOperand): string =>
  isFieldOperand(value) ? value.field : printLiteral(value)

function printLiteral(value: FilterLiteral): string {
  if (typeof value === 'object') return value.marker
  return typeof value === 'string' ? `"${value.replaceAll(/["\\]/g, '\\$&')}"` : String(value)
}
