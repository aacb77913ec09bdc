import { type RawBuilder, sql } from 'kysely'
import { holdsText } from '#domain/fields/folded-text.ts'
import type { Leaf } from '#domain/query/check/checked-filter.ts'

/**
 * PostgreSQL refuses index entries of more than 2,704 bytes, and a text may be longer; 200 characters fit, whatever
 * they are. Its indexes hold beginnings, which find nearly as few rows as the whole texts.
 */
const PREFIX_LENGTH = 200

/** Whether a leaf's texts may be too long for an index of PostgreSQL. */
export const isLongText = (leaf: Leaf): boolean =>
  leaf.type === 'field' && (holdsText(leaf.field.kind) || leaf.field.kind === 'rich-text')

/** The beginning of a text, in PostgreSQL. */
export const prefixExpression = (text: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`left(${text}, ${sql.lit(PREFIX_LENGTH)})`

/** The same of a text in hand; both count code points. */
export const prefixOfText = (text: string): string =>
  text.length <= PREFIX_LENGTH ? text : [...text].slice(0, PREFIX_LENGTH).join('')

/** Whether a text is no longer than a beginning. */
export const fitsInPrefix = (text: string): boolean => prefixOfText(text) === text
