import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { peopleQuery } from '#web/shared/lookups/people-query.ts'
import { t } from '#web/i18n/t.ts'
import { rolesQuery } from '#web/features/roles/roles-queries.ts'

type Who = { readonly user: string } | { readonly role: string }

export const whoValue = (who: Who): string => ('user' in who ? `user:${who.user}` : `role:${who.role}`)

export const whoOf = (value: string): Who =>
  value.startsWith('role:') ? { role: value.slice('role:'.length) } : { user: value.slice('user:'.length) }

export function useWhoOptions() {
  const { data: people } = useQuery(peopleQuery)
  const { data: roles } = useQuery(rolesQuery)
  return useMemo(
    () => [
      { group: 'People', options: (people ?? []).map(({ id, name }) => ({ value: `user:${id}`, label: name })) },
      {
        group: 'Roles',
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
