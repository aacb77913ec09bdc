import { Badge } from '@mantine/core'
import type { PolicyBody, RoleBody } from '#api/roles.ts'
import { AppLink } from '#web/shared/navigation/app-link.tsx'
import { IconShieldCheck, IconUser } from '#web/ui/icons/start.ts'
import { ItemList, ListItem } from '#web/ui/layout/panel.tsx'
import { listText } from '#web/i18n/locale.ts'
import { quoted } from '#web/i18n/quoted.ts'
import { plural, t } from '#web/i18n/t.ts'
import { policyPath, rolePath } from './role-paths.ts'
import { useMemberNames } from './roles-queries.ts'
import './roles.css'

type RulesProps = { readonly roles: readonly RoleBody[]; readonly policies: readonly PolicyBody[] }

export function RoleList({ roles, policies }: RulesProps) {
  return (
    <ItemList label={t('Roles')} mark="roles">
      {roles.map((role) => (
        <ListItem
          key={role.id}
          icon={IconUser}
          title={
            <AppLink href={rolePath(role.id)} className="roles-link line-open">
              {role.name}
            </AppLink>
          }
          mark={role.isFixed && <Badge>{t('Built-in')}</Badge>}
          detail={<RoleDetail role={role} policies={policies} />}
        />
      ))}
    </ItemList>
  )
}

function RoleDetail({ role, policies }: { readonly role: RoleBody; readonly policies: readonly PolicyBody[] }) {
  const names = listText(useMemberNames(role.id))
  const who = role.users === 0 ? t('No members') : peopleCount(role.users) + (names === '' ? '' : `: ${names}`)
  const made = policies.filter(({ id }) => role.policies.includes(id)).map(({ name }) => quoted(name))
  return (
    <>
      {role.about !== '' && <span className="roles-about">{role.about}</span>}
      <span className="roles-who">{who}</span>
      {made.length > 0 && listText(made)}
    </>
  )
}

const peopleCount = (count: number): string => plural(count, '{n} person', '{n} people')

export function PolicyList({ roles, policies }: RulesProps) {
  const nameOf = (id: string) => roles.find((role) => role.id === id)?.name ?? ''
  return (
    <ItemList label={t('Policies')}>
      {policies.map(({ id, name, about, roles: holders, examples }) => (
        <ListItem
          key={id}
          icon={IconShieldCheck}
          title={
            <AppLink href={policyPath(id)} className="roles-link line-open">
              {name}
            </AppLink>
          }
          mark={
            examples.some(({ state }) => state === 'broken') && <Badge color="danger">{t('Example failing')}</Badge>
          }
          detail={
            <>
              {about !== '' && <span className="roles-about">{about}</span>}
              {holders.length === 0
                ? t('Not used by any role')
                : t('Used by {roles}', { roles: listText(holders.map(nameOf)) })}
              {examples.length > 0 && ` · ${plural(examples.length, '{n} example', '{n} examples')}`}
            </>
          }
        />
      ))}
    </ItemList>
  )
}
