import { Skeleton } from '@mantine/core'
import { useState } from 'react'
import type { RoleBody } from '#api/roles.ts'
import { AppLink } from '#web/shared/navigation/app-link.tsx'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { t } from '#web/i18n/t.ts'
import { AccessMatrix, type MatrixRow } from './access-matrix.tsx'
import { rolePath } from '#web/features/roles/role-paths.ts'
import { CellPanel } from './cell-panel.tsx'
import { describeCell, type GrantPlace, sourcesAt, sourcesOf } from './matrix.ts'
import { useAccessRules } from '#web/features/roles/roles-queries.ts'
import { useGrantLabels } from '#web/features/roles/grants/use-grant-labels.ts'
import '../roles.css'

type Opened = { readonly role: RoleBody; readonly place: GrantPlace }

export function CollectionAccess({ collection }: { readonly collection: TypedCollection }) {
  const { rules, error } = useAccessRules()
  const words = useGrantLabels()(collection.id)
  const [opened, setOpened] = useState<Opened | null>(null)
  if (!rules) return error ? null : <Skeleton height={160} role="img" aria-label={t('Loading')} />
  const { roles, policies } = rules
  const policiesOf = (role: RoleBody) => policies.filter(({ id }) => role.policies.includes(id))
  const lineOf = (role: RoleBody): MatrixRow => ({
    key: role.id,
    name: role.name,
    head: (
      <AppLink href={rolePath(role.id)} className="roles-link">
        {role.name}
      </AppLink>
    ),
    isFixed: role.isFixed,
    cellOf: (permission) =>
      role.isFixed
        ? { coverage: 'all', text: t('all'), isInherited: false }
        : describeCell(sourcesAt(sourcesOf(policiesOf(role)), permission, collection.id), collection.id, words),
  })
  const shown = opened && (roles.find(({ id }) => id === opened.role.id) ?? opened.role)
  return (
    <>
      <AccessMatrix
        label={t('Permissions in {label}', { label: collection.label })}
        corner={t('Role')}
        lines={roles.map(lineOf)}
        onOpen={(line, permission) => {
          const role = roles.find(({ id }) => id === line)
          if (role) setOpened({ role, place: { permission, collection: collection.id } })
        }}
      />
      <CellPanel
        subject={{ who: shown?.name ?? '', role: shown ?? undefined, policies: shown ? policiesOf(shown) : [] }}
        place={opened?.place ?? null}
        allPolicies={policies}
        onClose={() => setOpened(null)}
      />
    </>
  )
}
