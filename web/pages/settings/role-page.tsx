import { Skeleton } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { ExplainAccessButton } from '#web/features/roles/explain/explain-access-button.tsx'
import { PolicyView } from '#web/features/roles/policy-view.tsx'
import { PolicyMenu, RoleMenu } from '#web/features/roles/role-menu.tsx'
import { RoleView } from '#web/features/roles/role-view.tsx'
import { useAccessRules } from '#web/features/roles/roles-queries.ts'
import { t } from '#web/i18n/t.ts'
import { NotFoundPage } from '#web/pages/frame/error-pages.tsx'
import { PageFrame, SettingsNav } from '#web/pages/frame/page-frame.tsx'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'

export function RolePage() {
  const { role: id = '' } = useParams({ strict: false })
  const { rules, error, retry } = useAccessRules()
  if (!rules) return <RulesPending title={t('Role')} error={error} onRetry={retry} />
  const role = rules.roles.find((each) => each.id === id)
  if (!role) return <NotFoundPage />
  return (
    <PageFrame
      title={role.name}
      lead={role.about}
      width="wide"
      actions={
        <>
          <ExplainAccessButton key={role.id} given={{ who: `role:${role.id}` }} />
          {!role.isFixed && <RoleMenu role={role} policies={rules.policies} />}
        </>
      }
    >
      <SettingsNav />
      <RoleView key={role.id} role={role} policies={rules.policies} />
    </PageFrame>
  )
}

export function PolicyPage() {
  const { policy: id = '' } = useParams({ strict: false })
  const { rules, error, retry } = useAccessRules()
  if (!rules) return <RulesPending title={t('Policy')} error={error} onRetry={retry} />
  const policy = rules.policies.find((each) => each.id === id)
  if (!policy) return <NotFoundPage />
  return (
    <PageFrame title={policy.name} lead={policy.about} width="wide" actions={<PolicyMenu policy={policy} />}>
      <SettingsNav />
      <PolicyView key={policy.id} policy={policy} policies={rules.policies} />
    </PageFrame>
  )
}

type RulesPendingProps = { readonly title: string; readonly error: Error | null; readonly onRetry: () => void }

function RulesPending({ title, error, onRetry }: RulesPendingProps) {
  return (
    <PageFrame title={title} width="wide">
      {error ? (
        <FailureNotice error={error} onRetry={onRetry} />
      ) : (
        <Skeleton height={240} role="img" aria-label={t('Loading')} />
      )}
    </PageFrame>
  )
}
