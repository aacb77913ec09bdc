import { Button, Skeleton } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { changeSecondFactorPolicy, readSecondFactorPolicy } from '#api/workspace.ts'
import type { SecondFactorPolicy } from '#domain/sessions/second-factors.ts'
import { call } from '#web/data/api/call.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { MultiSelect, Select } from '#web/ui/dropdown/select.tsx'
import { Panel } from '#web/ui/layout/panel.tsx'
import { notify } from '#web/ui/toast/notify.ts'
import { t } from '#web/i18n/t.ts'
import './storage-panel.css'

type RoleName = { readonly id: string; readonly name: string }

/** `roles` is undefined for users who can't list them. */
export function SecondFactorPanel({ roles }: { readonly roles: readonly RoleName[] | undefined }) {
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.secondFactorPolicy,
    queryFn: ({ signal }) => call(readSecondFactorPolicy, { signal }),
  })
  return (
    <Panel
      mark="second-factor-policy"
      title={t('Second factor')}
      lead={t(
        'Require a passkey or an authenticator app in addition to the password. Users without one must set one up right away. Identity provider sign-ins follow the provider’s rules.',
      )}
    >
      {error && !data && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={80} radius="sm" />}
      {data && <SecondFactorForm policy={data} known={roles} />}
    </Panel>
  )
}

type Scope = 'nobody' | 'everyone' | 'roles'

const SCOPES: readonly { readonly value: Scope; readonly label: string }[] = [
  { value: 'nobody', label: t('No one') },
  { value: 'everyone', label: t('Everyone') },
  { value: 'roles', label: t('Members of these roles') },
]

function scopeOf({ everyone, roles }: SecondFactorPolicy): Scope {
  if (everyone) return 'everyone'
  return roles.length > 0 ? 'roles' : 'nobody'
}

type SecondFactorFormProps = {
  readonly policy: SecondFactorPolicy
  readonly known: readonly RoleName[] | undefined
}

function SecondFactorForm({ policy, known }: SecondFactorFormProps) {
  const queryClient = useQueryClient()
  const [scope, setScope] = useState(scopeOf(policy))
  const [roles, setRoles] = useState(policy.roles)
  const wanted = { everyone: scope === 'everyone', roles: scope === 'roles' ? [...roles] : [] }
  const isChanged =
    wanted.everyone !== policy.everyone || wanted.roles.toSorted().join() !== policy.roles.toSorted().join()
  const isReady = isChanged && (scope !== 'roles' || roles.length > 0)
  const change = useMutation({
    mutationFn: () => call(changeSecondFactorPolicy, { body: wanted }),
    onSuccess(saved) {
      queryClient.setQueryData(queryKeys.secondFactorPolicy, saved)
      void queryClient.invalidateQueries({ queryKey: queryKeys.audit })
      notify.success(t('Second factor setting saved.'))
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isReady && !change.isPending) change.mutate()
  }
  const discard = () => {
    setScope(scopeOf(policy))
    setRoles(policy.roles)
    change.reset()
  }
  return (
    <form onSubmit={submit} className="storage" noValidate>
      <FailureNotice error={change.error} />
      <WithHelp setting="second-factor-required">
        <Select
          label={t('Required for')}
          // Roles are listed only for users who can read them.
          data={SCOPES.filter(({ value }) => value !== 'roles' || known !== undefined || scope === 'roles')}
          value={scope}
          onChange={(value) => setScope(SCOPES.find((each) => each.value === value)?.value ?? 'nobody')}
          allowDeselect={false}
        />
      </WithHelp>
      {scope === 'roles' && known && (
        <WithHelp setting="second-factor-required">
          <MultiSelect
            label={t('Roles')}
            data={known.map(({ id, name }) => ({ value: id, label: name }))}
            value={[...roles]}
            onChange={setRoles}
          />
        </WithHelp>
      )}
      <div className="storage-actions">
        <Button type="submit" variant="filled" disabled={!isReady} loading={change.isPending}>
          {t('Save')}
        </Button>
        {isChanged && <Button onClick={discard}>{t('Discard')}</Button>}
      </div>
    </form>
  )
}
