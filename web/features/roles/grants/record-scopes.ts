import { type Permission, supportsPart } from '#domain/access/permission.ts'
import { sameJson } from '#domain/shared/json.ts'
import { t } from '#web/i18n/t.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { type GrantDraft, isThem } from './grant-draft.ts'

export type ScopePart = Partial<Pick<GrantDraft, 'records' | 'where'>> & Pick<GrantDraft, 'records'>

export type RecordScopeOption = {
  readonly value: string
  readonly label: string
  readonly about?: string
  readonly part: ScopePart
}

const NONE: RecordScopeOption = {
  value: 'none',
  label: t('None'),
  about: t('Not granted here'),
  part: { records: 'none' },
}

const ALL: RecordScopeOption = { value: 'all', label: t('All'), part: { records: 'all' } }

const OWN: RecordScopeOption = {
  value: 'own',
  label: t('Own records'),
  about: t('Records they created'),
  part: { records: 'own' },
}

const SOME: RecordScopeOption = {
  value: 'some',
  label: t('Selected'),
  about: t('Records that match a condition'),
  part: { records: 'some' },
}

const YES_OR_NO: readonly RecordScopeOption[] = [
  { value: 'none', label: t('No'), part: { records: 'none' } },
  { value: 'all', label: t('Yes'), part: { records: 'all' } },
]

/** The record scopes that a permission can be limited to, including one for each user field. */
export function recordScopes(permission: Permission, { fields }: TypedCollection): readonly RecordScopeOption[] {
  if (!supportsPart(permission, 'where')) return YES_OR_NO
  const named = fields.flatMap(({ id, kind, label }): readonly RecordScopeOption[] => {
    const part = { records: 'named', where: isThem(id) } as const
    return kind === 'user'
      ? [{ value: `named-${id}`, label: t('Records where {label} is the user', { label }), part }]
      : []
  })
  // Not offered for creating records, because users always own the records they create.
  return permission === 'records:create' ? [NONE, ALL, ...named, SOME] : [NONE, ALL, OWN, ...named, SOME]
}

export const isChosen = (part: ScopePart, draft: Pick<GrantDraft, 'records' | 'where'>): boolean =>
  part.records === draft.records && (part.where === undefined || sameJson(part.where, draft.where))
