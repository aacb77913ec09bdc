import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Permission } from '#domain/access/permission.ts'
import { usePageTitle } from '#web/client/page-title.ts'
import { sessionConfig } from '#web/client/session-config.ts'
import { IconLock } from '#web/kit/icons/icon-lock.ts'
import { Say } from '#web/language/say.tsx'
import { t } from '#web/language/t.ts'
import { MessageFrame } from './message-frame.tsx'

type ForbiddenScreenProps = { readonly permission: Permission }

/** What somebody sees who is signed in but may not open this page. */
export function ForbiddenScreen({ permission }: ForbiddenScreenProps) {
  usePageTitle(t('Not for you'))
  return (
    <MessageFrame
      icon={IconLock}
      title={t('You may not open this page')}
      actions={
        <Button component={Link} to={sessionConfig.routes.home} variant="filled">
          {t('Go home')}
        </Button>
      }
    >
      <Say
        text="None of your roles gives the permission it needs: {permission}. Ask an owner of this workspace if you should have it."
        values={{ permission: <code>{permission}</code> }}
      />
    </MessageFrame>
  )
}
