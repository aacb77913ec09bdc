import { Button } from '@mantine/core'
import type { PolicyBody, RoleBody } from '#api/roles.ts'
import { AppLink } from '#web/fields/app-link.tsx'
import { asCallFailed } from '#web/client/call-failed.ts'
import { failureText } from '#web/client/problem-text.ts'
import { useCan } from '#web/client/use-can.ts'
import { useUser } from '#web/client/use-session.ts'
import { seeAs } from '#web/client/view-as.ts'
import { Dropdown } from '#web/kit/dropdown/dropdown.tsx'
import { notify } from '#web/kit/toast/notify.ts'
import { policyPath, rolePath } from './addresses.ts'
import { useChangeRole, useHolders } from './roles-queries.ts'
import { SaveFailure } from './save-failure.tsx'
import { SubjectMatrix } from './subject-matrix.tsx'
import './roles.css'

type RoleViewProps = { readonly role: RoleBody; readonly policies: readonly PolicyBody[] }

/** A role: what it adds up to, what it is made of, who has it. */
export function RoleView({ role, policies }: RoleViewProps) {
  const own = policies.filter(({ id }) => role.policies.includes(id))
  return (
    <>
      <section className="roles-section" aria-labelledby="matrix-title">
        <div className="roles-head">
          <div>
            <h2 id="matrix-title">What it adds up to</h2>
            <p>
              {role.isFixed
                ? 'Everything, always: somebody must be able to put things right. This cannot be changed.'
                : 'Choose a cell to change it. What nothing allows is not allowed.'}
            </p>
          </div>
        </div>
        <SubjectMatrix
          subject={{ who: role.name, role, policies: own }}
          allPolicies={policies}
          page={rolePath(role.id)}
        />
      </section>
      {!role.isFixed && <MadeOf role={role} policies={policies} own={own} />}
      <Holders role={role} />
    </>
  )
}

type MadeOfProps = RoleViewProps & { readonly own: readonly PolicyBody[] }

/** The policies of a role: chosen here, changed on their own pages. */
function MadeOf({ role, policies, own }: MadeOfProps) {
  const { mutate, error, isPending } = useChangeRole()
  const put = (chosen: readonly string[]) =>
    mutate(
      { role: role.id, body: { policies: [...chosen], version: role.version } },
      {
        onSuccess: ({ version }) =>
          notify.success(`${role.name} is made of other policies now`, {
            action: {
              label: 'Undo',
              run: () => mutate({ role: role.id, body: { policies: role.policies, version } }, { onError: sayFailed }),
            },
          }),
      },
    )
  return (
    <section className="roles-section" aria-labelledby="made-of-title">
      <h2 id="made-of-title">What it is made of</h2>
      <Dropdown
        multiple
        label="Policies"
        description="Everything that one of them allows is allowed"
        placeholder={role.policies.length === 0 ? 'None: whoever has this role alone may do nothing' : ''}
        options={policies.map(({ id, name }) => ({ value: id, label: name }))}
        value={role.policies}
        onChange={put}
        disabled={isPending}
      />
      <SaveFailure error={error} />
      {own.length > 0 && (
        <ul className="roles-policies" aria-label="Policies of this role">
          {own.map(({ id, name, about }) => (
            <li key={id}>
              <AppLink href={policyPath(id)} className="roles-link">
                {name}
              </AppLink>
              {about !== '' && <span>{about}</span>}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function sayFailed(error: unknown): void {
  if (asCallFailed(error)?.code === 'aborted') return
  notify.error('It could not be undone', { detail: failureText(error).detail })
}

function Holders({ role }: { readonly role: RoleBody }) {
  const holders = useHolders(role.id)
  const mayLook = useCan('users:manage')
  const me = useUser()
  return (
    <section className="roles-section" aria-labelledby="holders-title">
      <h2 id="holders-title">Who has it</h2>
      {holders.length === 0 ? (
        <p className="grant-hint">
          {role.users === 0 ? 'Nobody. Roles are given on the page of people.' : `${role.users} people.`}
        </p>
      ) : (
        <ul className="roles-holders">
          {holders.map(({ id, name, isDisabled, isInvited }) => (
            <li key={id}>
              {name}
              {mayLook && !isDisabled && !isInvited && id !== me?.id && (
                <Button size="xs" variant="subtle" onClick={() => seeAs(id)}>
                  See Dossier as {name}
                </Button>
              )}
            </li>
          ))}
          {role.users > holders.length && <li>and {(role.users - holders.length).toLocaleString()} more</li>}
        </ul>
      )}
    </section>
  )
}
