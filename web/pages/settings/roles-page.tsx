import { Button, Skeleton } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { policyPath, rolePath } from '#web/features/roles/role-paths.ts'
import { NewPolicyDialog, NewRoleDialog } from '#web/features/roles/name-dialog.tsx'
import { PolicyList, RoleList } from '#web/features/roles/role-list.tsx'
import { useAccessRules } from '#web/features/roles/roles-queries.ts'
import { IconPlus } from '#web/ui/icons/frame.ts'
import { t } from '#web/i18n/t.ts'
import { PageFrame, SettingsNav } from '#web/pages/frame/page-frame.tsx'

export function RolesPage() {
  const { rules, error, retry } = useAccessRules()
  const [isMaking, setMaking] = useState<'role' | 'policy'>()
  const navigate = useNavigate()
  const close = () => setMaking(undefined)
  return (
    <PageFrame
      title={t('Roles')}
      lead={t('Manage permissions. Anything not granted by a role is denied.')}
      width="middle"
      actions={
        <Button
          variant="filled"
          leftSection={<IconPlus size={16} stroke={1.5} />}
          disabled={!rules}
          onClick={() => setMaking('role')}
        >
          {t('New role')}
        </Button>
      }
    >
      <SettingsNav />
      {error && !rules && <FailureNotice error={error} onRetry={retry} />}
      {!rules && !error && <Skeleton height={240} radius="md" />}
      {rules && (
        <>
          <RoleList {...rules} />
          <section className="roles-section" data-tour="policies" aria-labelledby="policies-title">
            <div className="roles-head">
              <div>
                <h2 id="policies-title">{t('Policies')}</h2>
                <p>{t('A policy is a set of permissions. Roles combine policies and can share them.')}</p>
              </div>
              <Button size="xs" leftSection={<IconPlus size={14} stroke={1.75} />} onClick={() => setMaking('policy')}>
                {t('New policy')}
              </Button>
            </div>
            <PolicyList {...rules} />
          </section>
        </>
      )}
      {isMaking === 'role' && (
        <NewRoleDialog onClose={close} onMade={(role) => void navigate({ to: rolePath(role) })} />
      )}
      {isMaking === 'policy' && (
        <NewPolicyDialog onClose={close} onMade={(policy) => void navigate({ to: policyPath(policy) })} />
      )}
    </PageFrame>
  )
}
