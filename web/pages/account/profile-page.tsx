import { builtInText } from '#web/i18n/built-in-roles.ts'
import { useUser } from '#web/data/session/use-session.ts'
import { describeScope } from '#web/shared/formatting/permission-labels.ts'
import { ProfileForm } from '#web/features/account/profile-form.tsx'
import { t } from '#web/i18n/t.ts'
import { AccountNav, FactList, PageFrame } from '#web/pages/frame/page-frame.tsx'

const NO_LABELS: ReadonlyMap<string, string> = new Map()

export function ProfilePage() {
  const user = useUser()
  if (!user) return null
  const roles = user.roles.map((role) => builtInText(role).name).join(', ')
  return (
    <PageFrame title={t('Profile')} width="middle" lead={t('Your name and email in this workspace.')}>
      <AccountNav />
      <ProfileForm key={user.name} name={user.name} />
      <FactList
        facts={[
          { mark: 'own-email', name: t('Email'), value: user.email },
          { name: t('Roles'), value: roles === '' ? t('None') : roles },
          { name: t('Permissions'), value: <ScopeList scope={user.scope} /> },
        ]}
      />
    </PageFrame>
  )
}

function ScopeList({ scope }: { readonly scope: readonly string[] }) {
  if (scope.length === 0) return t('No roles yet. Ask an owner for access.')
  return (
    <ul className="scope-list">
      {scope.map((name) => (
        <li key={name}>{describeScope(name, NO_LABELS)}</li>
      ))}
    </ul>
  )
}
