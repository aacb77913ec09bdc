import { Skeleton } from '@mantine/core'
import { useState } from 'react'
import type { RoleBody } from '#api/roles.ts'
import { AppLink } from '#web/shared/navigation/app-link.tsx'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { t } from '#web/i18n/t.ts'
import { AccessMatrix, type MatrixRow } from './access-matrix.tsx'
import { rolePath } from '#web/features/roles/role-paths.ts'
import { CellPanel } from './cell-panel.tsx'
import { describeCell, type GrantPlace, sourcesAt, sourcesOf, type Subject } from './matrix.ts'
import { CellMenu, RowMenu, useQuickSave } from './matrix-menus.tsx'
import type { GrantDraft } from '#web/features/roles/grants/grant-draft.ts'
import { useAccessRules } from '#web/features/roles/roles-queries.ts'
import { useGrantLabels } from '#web/features/roles/grants/use-grant-labels.ts'
import '../roles.css'

type Opened = { readonly role: RoleBody; readonly place: GrantPlace; readonly initial: Partial<GrantDraft> | undefined }

const NO_SUBJECT: Subject = { who: '', role: undefined, policies: [] }

export function CollectionAccess({ collection }: { readonly collection: TypedCollection }) {
  const { rules, error } = useAccessRules()
  const words = useGrantLabels()(collection.id)
  const [opened, setOpened] = useState<Opened | null>(null)
  const quick = useQuickSave(rules?.policies ?? [])
  if (!rules) return error ? null : <Skeleton height={160} role="img" aria-label={t('Loading')} />
  const { roles, policies } = rules
  const policiesOf = (role: RoleBody) => policies.filter(({ id }) => role.policies.includes(id))
  const subjectOf = (role: RoleBody): Subject => ({ who: role.name, role, policies: policiesOf(role) })
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
        cellMenu={(line, permission, takeFocus) => {
          const role = roles.find(({ id }) => id === line)
          const place = { permission, collection: collection.id }
          return (
            role && (
              <CellMenu
                subject={subjectOf(role)}
                place={place}
                collection={collection}
                quick={quick}
                onForm={(initial) => {
                  takeFocus()
                  setOpened({ role, place, initial })
                }}
              />
            )
          )
        }}
        rowMenu={(line) => {
          const role = roles.find(({ id }) => id === line)
          return role && <RowMenu subject={subjectOf(role)} collection={collection} quick={quick} onCopy={undefined} />
        }}
      />
      <CellPanel
        subject={shown ? subjectOf(shown) : NO_SUBJECT}
        initial={opened?.initial}
        place={opened?.place ?? null}
        allPolicies={policies}
        onClose={() => setOpened(null)}
      />
    </>
  )
}
