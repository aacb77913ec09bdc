import { Badge, Button } from '@mantine/core'
import type { PolicyBody, RoleBody } from '#api/roles.ts'
import { AppLink, useFollow } from '#web/shared/navigation/app-link.tsx'
import { useCan } from '#web/data/authorization/use-can.ts'
import { useUser } from '#web/data/session/use-session.ts'
import { startImpersonation } from '#web/data/authorization/impersonation.ts'
import { Dropdown } from '#web/ui/dropdown/dropdown.tsx'
import { IconUser } from '#web/ui/icons/start.ts'
import { ItemList, ListItem } from '#web/ui/layout/panel.tsx'
import { notify } from '#web/ui/toast/notify.ts'
import { Say } from '#web/i18n/say.tsx'
import { plural, t } from '#web/i18n/t.ts'
import { notifyFailure } from '#web/shared/navigation/failure-notice.tsx'
import { policyPath, rolePath } from './role-paths.ts'
import { ROLES_TOAST } from './grants/use-save-grants.ts'
import { useChangeRole, useMembers } from './roles-queries.ts'
import { SaveFailure } from './save-failure.tsx'
import { SubjectMatrix } from './matrix/subject-matrix.tsx'
import './roles.css'

type RoleViewProps = { readonly role: RoleBody; readonly policies: readonly PolicyBody[] }

export function RoleView({ role, policies }: RoleViewProps) {
  const own = policies.filter(({ id }) => role.policies.includes(id))
  return (
    <>
      <section className="roles-section" data-tour="role-matrix" aria-labelledby="matrix-title">
        <div className="roles-head">
          <div>
            <h2 id="matrix-title">{t('Permissions')}</h2>
            <p>
              {role.isFixed
                ? t('Full access. Owners can always manage everything. This can’t be changed.')
                : t('Select a cell to edit it. Anything not granted here is denied.')}
            </p>
          </div>
        </div>
        <SubjectMatrix
          subject={{ who: role.name, role, policies: own }}
          allPolicies={policies}
          page={rolePath(role.id)}
        />
      </section>
      {!role.isFixed && <RolePolicies role={role} policies={policies} own={own} />}
      <Members role={role} />
    </>
  )
}

type RolePoliciesProps = RoleViewProps & { readonly own: readonly PolicyBody[] }

function RolePolicies({ role, policies, own }: RolePoliciesProps) {
  const { mutate, error, isPending } = useChangeRole()
  const put = (chosen: readonly string[]) =>
    mutate(
      { role: role.id, body: { policies: [...chosen], version: role.version } },
      {
        onSuccess: ({ version }) =>
          notify.success(t('Policies of {name} updated', { name: role.name }), {
            id: ROLES_TOAST,
            action: {
              label: t('Undo'),
              run: () =>
                mutate(
                  { role: role.id, body: { policies: role.policies, version } },
                  { onError: notifyFailure(t('Couldn’t undo')) },
                ),
            },
          }),
      },
    )
  return (
    <section className="roles-section" data-tour="role-policies" aria-labelledby="made-of-title">
      <div className="roles-head">
        <div>
          <h2 id="made-of-title">{t('Policies')}</h2>
          <p>{t('This role has all permissions from its policies.')}</p>
        </div>
      </div>
      <Dropdown
        multiple
        ariaLabel={t('Policies')}
        placeholder={role.policies.length === 0 ? t('No permissions yet') : ''}
        options={policies.map(({ id, name }) => ({ value: id, label: name }))}
        value={role.policies}
        onChange={put}
        disabled={isPending}
      />
      <SaveFailure error={error} />
      {own.length > 0 && (
        <ul className="roles-policies" aria-label={t('Policies of this role')}>
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

/** Members beyond this limit are only counted. */
const MEMBERS_SHOWN = 50

function Members({ role }: { readonly role: RoleBody }) {
  const holders = useMembers(role.id)
  const mayLook = useCan('users:manage')
  const follow = useFollow()
  const me = useUser()
  return (
    <section className="roles-section" data-tour="role-people" aria-labelledby="holders-title">
      <div className="roles-head">
        <div>
          <h2 id="holders-title">{t('Members')}</h2>
          <p>{membersHint(role.users, Math.min(holders.length, MEMBERS_SHOWN))}</p>
        </div>
        {mayLook && (
          <Button component="a" href="/settings/users" size="xs" onClick={follow}>
            {t('Assign to people')}
          </Button>
        )}
      </div>
      {holders.length > 0 && (
        <ItemList label={t('Members')}>
          {holders.slice(0, MEMBERS_SHOWN).map(({ id, name, email, isDisabled, isInvited }) => (
            <ListItem
              key={id}
              icon={IconUser}
              title={name}
              mark={isInvited && <Badge color="warning">{t('Invited')}</Badge>}
              detail={email}
              actions={
                !isDisabled &&
                !isInvited &&
                id !== me?.id && (
                  <Button size="xs" onClick={() => startImpersonation(id)}>
                    <Say
                      text="View as this user{span}"
                      values={{ span: <span className="visually-hidden">: {name}</span> }}
                    />
                  </Button>
                )
              }
            />
          ))}
        </ItemList>
      )}
    </section>
  )
}

function membersHint(count: number, shown: number): string {
  if (count === 0) return t('No members yet.')
  const said = plural(count, '{n} person', '{n} people')
  return shown > 0 && shown < count ? t('{said}; showing the first {shown}.', { said, shown }) : `${said}.`
}
