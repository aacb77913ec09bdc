import { Skeleton } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { ExplainAccessButton } from '#web/features/roles/explain/explain-access-button.tsx'
import { RoleView } from '#web/features/roles/role-view.tsx'
import { useAccessRules } from '#web/features/roles/roles-queries.ts'
import { RoleMenu } from '#web/features/roles/role-menu.tsx'
import { t } from '#web/i18n/t.ts'
import { NotFoundPage } from '#web/pages/errors/not-found-page.tsx'
import { PageFrame } from '#web/pages/frame/page-frame.tsx'
import { SettingsNav } from '#web/pages/frame/section-nav.tsx'

export function RolePage() {
  const { role: id = '' } = useParams({ strict: false })
  const { rules, error, retry } = useAccessRules()
  if (!rules) {
    return (
      <PageFrame title={t('Role')} width="wide">
        {error ? (
          <FailureNotice error={error} onRetry={retry} />
        ) : (
          <Skeleton height={240} role="img" aria-label={t('Loading')} />
        )}
      </PageFrame>
    )
  }
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
          {!role.isFixed && <RoleMenu role={role} />}
        </>
      }
    >
      <SettingsNav />
      <RoleView key={role.id} role={role} policies={rules.policies} />
    </PageFrame>
  )
}
