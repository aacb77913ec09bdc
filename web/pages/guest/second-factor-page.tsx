import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { sessionConfig } from '#web/data/session/session-state.ts'
import { factorsQuery } from '#web/features/account/account-queries.ts'
import { PasskeysPanel } from '#web/features/account/second-factors/passkeys-panel.tsx'
import { RecoveryCodesDialog } from '#web/features/account/second-factors/recovery-codes.tsx'
import { hasSecondFactor } from '#web/features/account/security-summary.tsx'
import { TotpPanel } from '#web/features/account/second-factors/totp-panel.tsx'
import { ReauthenticationPrompt } from '#web/features/auth/prompts.tsx'
import { t } from '#web/i18n/t.ts'
import { GuestFrame } from './guest-frame.tsx'
import './second-factor-page.css'

/** Shown if the workspace requires a second factor that the user hasn't set up. */
export function SecondFactorPage() {
  const { data: factors, error, refetch } = useQuery(factorsQuery)
  const [codes, setCodes] = useState<readonly string[]>([])
  const isDone = factors !== undefined && hasSecondFactor(factors) && codes.length === 0
  const news = {
    onRecoveryCodes: setCodes,
    onChanged: () => undefined,
    onPasswordShort: () => undefined,
    notice: null,
  }
  return (
    <GuestFrame
      title={t('Set up a second factor')}
      lead={t('This workspace requires a second factor. Set up a passkey or an authenticator app to continue.')}
      foot={<Link to={sessionConfig.routes.logout}>{t('Sign out')}</Link>}
    >
      {error && !factors && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {!factors && !error && <Skeleton height={240} radius="md" />}
      {factors && (
        <div className="second-factor-panels">
          <PasskeysPanel passkeys={factors.passkeys} {...news} />
          <TotpPanel isOn={factors.totp} leftAlone={undefined} {...news} />
        </div>
      )}
      {isDone && (
        // Reloads the page, because data that was denied before is now accessible.
        <Button variant="filled" size="md" fullWidth onClick={() => window.location.assign(sessionConfig.routes.home)}>
          {t('Continue')}
        </Button>
      )}
      {codes.length > 0 && <RecoveryCodesDialog codes={codes} onClose={() => setCodes([])} />}
      <ReauthenticationPrompt />
    </GuestFrame>
  )
}
