import { type Field, shapeOf } from '#domain/fields/field.ts'
import { valueField } from '#domain/formulas/value-field.ts'
import { isId } from '#domain/fields/relation.ts'
import {
  type Comparison,
  type Filter,
  type FilterLiteral,
  isFieldOperand,
  isList,
  pathsOf,
} from '#domain/query/filter/filter.ts'
import { comparisonsOf } from '#domain/query/filter/saved-filter.ts'
import { numberText } from '#web/i18n/locale.ts'
import { quoted } from '#web/i18n/quoted.ts'
import { t } from '#web/i18n/t.ts'
import { type TypedCollection, typedCollection } from '#web/shared/fields/typed-collection.ts'
import { operatorWords } from './model/condition-tree.ts'
import { describeRelativeDate } from './model/relative-dates.ts'
import { fieldAt, type FindCollection, type PathGroup, pathGroups } from './path-fields.ts'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { collectionsQuery } from '#web/data/queries/collections-query.ts'

export type DescribeContext = {
  readonly collection: TypedCollection
  readonly findCollection: FindCollection
  /** Returns the name of a user; without this function, users are described as “someone”. */
  readonly personOf?: (id: string) => string | undefined
  readonly me?: string
}

/** For example “Status is “shipped” and Tracking is empty”. */
export function describeCondition(filter: Filter, world: DescribeContext): string {
  const paths = comparisonsOf(filter).flatMap(pathsOf)
  return wordsOf(filter, { ...world, groups: pathGroups(world.collection, world.findCollection, paths) })
}

/** For example “Airport, State”. */
export const describeField = (path: string, { collection, findCollection }: DescribeContext): string =>
  fieldAt(pathGroups(collection, findCollection, [path]), path)?.label ?? path

type Known = DescribeContext & { readonly groups: readonly PathGroup[] }

function wordsOf(filter: Filter, known: Known): string {
  if ('field' in filter) return describeComparison(filter, known)
  if ('formula' in filter) return filter.formula
  const [parts, word] = 'all' in filter ? [filter.all, t('and')] : [filter.any, t('or')]
  return parts
    .map((part) => (parts.length > 1 && isJoined(part) ? `(${wordsOf(part, known)})` : wordsOf(part, known)))
    .join(` ${word} `)
}

const isJoined = (filter: Filter): boolean =>
  ('all' in filter && filter.all.length > 1) || ('any' in filter && filter.any.length > 1)

function describeComparison({ field: path, op, value }: Comparison, known: Known): string {
  const field = fieldAt(known.groups, path)
  const said = `${field?.label ?? path} ${field ? operatorWords(op, field) : op}`
  if (value === undefined) return said
  if (isFieldOperand(value)) return `${said} ${fieldAt(known.groups, value.field)?.label ?? value.field}`
  const say = (literal: FilterLiteral) => describeLiteral(literal, field, known)
  if (!isList(value)) return `${said} ${say(value)}`
  return `${said} ${value.map(say).join(op === 'between' ? ` ${t('and')} ` : ', ')}`
}

function describeLiteral(literal: FilterLiteral, field: Field | undefined, known: Known): string {
  switch (typeof literal) {
    case 'boolean':
      return literal ? t('yes') : t('no')
    case 'number':
      return numberText(literal)
    case 'string':
      return textWords(literal, field, known)
    default:
      return describeMarker(literal, known.me ?? ME)
  }
}

const ME = t('me')

function textWords(text: string, field: Field | undefined, known: Known): string {
  switch (field && shapeOf(valueField(field))) {
    case 'person':
      return describePerson(text, known)
    case 'record':
      return isId(text) ? t('a specific record') : quoted(text)
    case 'date':
    case 'date-time':
      return text
    default:
      return quoted(text)
  }
}

/** Describes a user given by id or by part of a name. */
function describePerson(text: string, { personOf, me = ME }: Known): string {
  if (text === '@me') return me
  return isId(text) ? (personOf?.(text) ?? t('someone')) : quoted(text)
}

function describeMarker(literal: { readonly marker: string }, me: string): string {
  const { marker } = literal
  if (marker === '@me') return me
  if (marker.startsWith('@me.')) {
    const label = marker.slice('@me.'.length).replaceAll('_', ' ')
    return me === ME ? t('my {label}', { label }) : t('their {label}', { label })
  }
  return describeRelativeDate(marker)
}

export function useFindCollection(): FindCollection {
  const { data } = useQuery(collectionsQuery)
  const byId = useMemo(() => new Map((data ?? []).map((body) => [body.id, typedCollection(body)])), [data])
  return useCallback((id) => byId.get(id), [byId])
}
