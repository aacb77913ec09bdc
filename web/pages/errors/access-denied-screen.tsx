import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Permission } from '#domain/access/permission.ts'
import { usePageTitle } from '#web/shared/navigation/app-link.tsx'
import { sessionConfig } from '#web/data/session/session-state.ts'
import { PERMISSION_LABELS } from '#web/features/account/tokens/permission-labels.ts'
import { IconLock } from '#web/ui/icons/start.ts'
import { t } from '#web/i18n/t.ts'
import { MessageFrame } from './message-frame.tsx'

type AccessDeniedScreenProps = { readonly permission: Permission }

export function AccessDeniedScreen({ permission }: AccessDeniedScreenProps) {
  usePageTitle(t('Access denied'))
  return (
    <MessageFrame
      icon={IconLock}
      title={t('You don’t have access to this page')}
      actions={
        <>
          <Button component={Link} to={sessionConfig.routes.home} variant="filled">
            {t('Go home')}
          </Button>
          <Button component={Link} to="/account/profile">
            {t('Your permissions')}
          </Button>
        </>
      }
    >
      {t('You need the permission “{permission}”. Ask an owner of this workspace for access.', {
        permission: PERMISSION_LABELS[permission],
      })}
    </MessageFrame>
  )
}
