import type { Profile } from '#domain/access/actor.ts'
import { hasSelectOptions } from '#domain/fields/field.ts'
import { isId } from '#domain/fields/relation.ts'
import { findOption } from '#domain/fields/select.ts'
import { type Result, fail, ok } from '#domain/shared/result.ts'
import type { Leaf } from '../check/checked-filter.ts'
import { didYouMean } from './did-you-mean.ts'
import type { FilterLiteral } from './filter.ts'
import { type OperandShape, operandShape } from './operators.ts'
import type { QueryContext } from '../check/query-context.ts'
import { kindOfLeaf } from './read-literal.ts'

const ATTRIBUTE_MARKER = /^@me\.(\w+)$/

export type AttributeMarker = { readonly marker: string }

export const isAttributeMarker = (literal: FilterLiteral): literal is AttributeMarker =>
  typeof literal === 'object' && ATTRIBUTE_MARKER.test(literal.marker)

export const attributeNameOf = (literal: FilterLiteral): string | undefined =>
  typeof literal === 'object' ? ATTRIBUTE_MARKER.exec(literal.marker)?.[1] : undefined

const NON_TEXT_SHAPES: ReadonlySet<OperandShape> = new Set(['boolean', 'number', 'date', 'date-time', 'file'])

/**
 * Replaces each `@me.<name>` with the user's attribute values that the field can store; an unknown option matches
 * nothing.
 */
export function resolveAttributeMarkers(
  leaf: Leaf,
  literals: readonly FilterLiteral[],
  { profile }: QueryContext,
): Result<readonly FilterLiteral[], string> {
  const resolved: FilterLiteral[] = []
  for (const literal of literals) {
    const name = attributeNameOf(literal)
    if (name === undefined) {
      resolved.push(literal)
      continue
    }
    if (NON_TEXT_SHAPES.has(operandShape(kindOfLeaf(leaf))))
      return fail(`@me.${name} is text and can’t be compared with this field.`)
    if (profile && !Object.hasOwn(profile, name)) return fail(unknownName(name, profile))
    resolved.push(
      ...textsOf(profile && Object.hasOwn(profile, name) ? profile[name] : undefined).filter((text) =>
        canHold(leaf, text),
      ),
    )
  }
  return ok(resolved)
}

const textsOf = (value: string | readonly string[] | undefined): readonly string[] =>
  (typeof value === 'string' ? [value] : (value ?? [])).filter((text) => text !== '')

function canHold(leaf: Leaf, text: string): boolean {
  if (leaf.type === 'field' && hasSelectOptions(leaf.field)) return findOption(leaf.field, text) !== undefined
  const kind = kindOfLeaf(leaf)
  return kind === 'relation' || kind === 'reverse' || kind === 'user' || kind === 'id'
    ? isId(text)
    : !text.includes('\0')
}

function unknownName(name: string, profile: Profile): string {
  const known = Object.keys(profile)
  const listed = known.map((each) => `@me.${each}`).join(', ')
  return `There is no user attribute “${name}”. Available: ${listed}.${didYouMean(name, known)}`
}
