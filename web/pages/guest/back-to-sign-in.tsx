import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { sessionConfig } from '#web/data/session/session-state.ts'
import { t } from '#web/i18n/t.ts'

type BackToSignInProps = { readonly children?: string; readonly isMain?: boolean }

export function BackToSignIn({ children = t('Back to sign-in'), isMain = false }: BackToSignInProps) {
  return (
    <Button
      component={Link}
      to={sessionConfig.routes.login}
      size="md"
      fullWidth
      {...(isMain && { variant: 'filled' as const })}
    >
      {children}
    </Button>
  )
}
