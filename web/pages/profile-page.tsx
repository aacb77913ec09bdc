import { useUser } from '#web/client/use-session.ts'
import { FactList } from './fact-list.tsx'
import { PageFrame } from './page-frame.tsx'

/** Who one is here, and what one may do. */
export function ProfilePage() {
  const user = useUser()
  if (!user) return null
  const roles = user.roles.map(({ name }) => name).join(', ')
  return (
    <PageFrame title="Profile" lead="How this workspace knows you.">
      <FactList
        facts={[
          { name: 'Name', value: user.name },
          { name: 'E-mail', value: user.email },
          { name: 'Roles', value: roles === '' ? 'None' : roles },
          { name: 'You may', value: <ScopeList scope={user.scope} /> },
        ]}
      />
    </PageFrame>
  )
}

function ScopeList({ scope }: { readonly scope: readonly string[] }) {
  if (scope.length === 0) return 'Nothing yet. Ask an owner for a role.'
  return (
    <ul className="scope-list">
      {scope.map((name) => (
        <li key={name}>{name}</li>
      ))}
    </ul>
  )
}
