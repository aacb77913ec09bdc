import { Skeleton } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { PolicyView } from '#web/features/roles/policy-view.tsx'
import { useAccessRules } from '#web/features/roles/roles-queries.ts'
import { PolicyMenu } from '#web/features/roles/role-menu.tsx'
import { t } from '#web/i18n/t.ts'
import { NotFoundPage } from '#web/pages/errors/not-found-page.tsx'
import { PageFrame } from '#web/pages/frame/page-frame.tsx'
import { SettingsNav } from '#web/pages/frame/section-nav.tsx'

export function PolicyPage() {
  const { policy: id = '' } = useParams({ strict: false })
  const { rules, error, retry } = useAccessRules()
  if (!rules) {
    return (
      <PageFrame title={t('Policy')} width="wide">
        {error ? (
          <FailureNotice error={error} onRetry={retry} />
        ) : (
          <Skeleton height={240} role="img" aria-label={t('Loading')} />
        )}
      </PageFrame>
    )
  }
  const policy = rules.policies.find((each) => each.id === id)
  if (!policy) return <NotFoundPage />
  return (
    <PageFrame title={policy.name} lead={policy.about} width="wide" actions={<PolicyMenu policy={policy} />}>
      <SettingsNav />
      <PolicyView key={policy.id} policy={policy} policies={rules.policies} />
    </PageFrame>
  )
}
