import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { explainRights } from '#api/roles.ts'
import { isPerCollection } from '#domain/access/grant.ts'
import { type Permission, supportsPart } from '#domain/access/permission.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { MATRIX_ACTIONS, WORKSPACE_ACTIONS } from '#web/features/roles/matrix/matrix.ts'
import { rolesQuery } from '#web/features/roles/roles-queries.ts'
import { t } from '#web/i18n/t.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { peopleQuery } from '#web/shared/lookups/search-options.ts'
import { Dropdown } from '#web/ui/dropdown/dropdown.tsx'
import type { DropdownOption } from '#web/ui/dropdown/option.tsx'

export type AccessQuestion = {
  /** Format: `user:<id>` or `role:<id>`. */
  readonly who: string | null
  readonly permission: Permission
  readonly collection: string | null
  readonly record: DropdownOption | null
  readonly field: string | null
}

export const EMPTY_QUESTION: AccessQuestion = {
  who: null,
  permission: 'records:read',
  collection: null,
  record: null,
  field: null,
}

const ALL_ACTIONS = [...MATRIX_ACTIONS, ...WORKSPACE_ACTIONS]

export const PERMISSION_OPTIONS = ALL_ACTIONS.map(({ permission, head }) => ({ value: permission, label: head }))

export const permissionOf = (value: string): Permission =>
  ALL_ACTIONS.find(({ permission }) => permission === value)?.permission ?? 'records:read'

/** Returns undefined until a user or role is selected. */
function questionOf({ who, permission, collection, record, field }: AccessQuestion) {
  if (who === null) return undefined
  const place = isPerCollection(permission) ? collection : null
  return {
    ...whoOf(who),
    permission,
    collection: place,
    record: place === null || !permission.startsWith('records:') ? null : (record?.value ?? null),
    field: place === null || !supportsPart(permission, 'fields') ? null : field,
  }
}

export function useExplanation(requested: AccessQuestion) {
  const question = questionOf(requested)
  return useQuery({
    queryKey: [...queryKeys.explanations, question ?? null],
    queryFn: ({ signal }) => call(explainRights, { body: question ?? { permission: requested.permission }, signal }),
    enabled: question !== undefined,
  })
}

type Who = { readonly user: string } | { readonly role: string }

export const whoValue = (who: Who): string => ('user' in who ? `user:${who.user}` : `role:${who.role}`)

export const whoOf = (value: string): Who =>
  value.startsWith('role:') ? { role: value.slice('role:'.length) } : { user: value.slice('user:'.length) }

export function useWhoOptions() {
  const { data: people } = useQuery(peopleQuery)
  const { data: roles } = useQuery(rolesQuery)
  return useMemo(
    () => [
      { group: t('People'), options: (people ?? []).map(({ id, name }) => ({ value: `user:${id}`, label: name })) },
      {
        group: t('Roles'),
        options: (roles?.items ?? []).map(({ id, name }) => ({
          value: `role:${id}`,
          label: t('The role {name}', { name }),
        })),
      },
    ],
    [people, roles],
  )
}

export function useWhoNameOf(): (value: string) => string | undefined {
  const groups = useWhoOptions()
  return useCallback(
    (value) => groups.flatMap(({ options }) => options).find((option) => option.value === value)?.label,
    [groups],
  )
}

type FieldPickerProps = {
  readonly collection: TypedCollection | undefined
  readonly requested: AccessQuestion
  readonly placeholder: string
  readonly onField: (field: string | null) => void
}

export function FieldPicker({ collection, requested, placeholder, onField }: FieldPickerProps) {
  if (!collection || !supportsPart(requested.permission, 'fields')) return null
  return (
    <Dropdown
      label={t('Which field')}
      placeholder={placeholder}
      options={collection.fields.map(({ id, label }) => ({ value: id, label }))}
      value={requested.field}
      onChange={onField}
    />
  )
}
