import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { FailureNotice } from '#web/client/failure-notice.tsx'
import { factorsQuery } from '#web/features/account/account-queries.ts'
import { PasskeysPanel } from '#web/features/account/passkeys-panel.tsx'
import { PasswordPanel } from '#web/features/account/password-panel.tsx'
import { ProvidersPanel } from '#web/features/account/providers-panel.tsx'
import { RecoveryCodesDialog } from '#web/features/account/recovery-codes-dialog.tsx'
import { RecoveryPanel } from '#web/features/account/recovery-panel.tsx'
import { type Factors, hasSecondFactor, SecuritySummary } from '#web/features/account/security-summary.tsx'
import { TotpPanel } from '#web/features/account/totp-panel.tsx'
import { PageFrame } from './page-frame.tsx'
import { AccountNav } from './section-nav.tsx'

/** What protects one's account. */
export function SecurityPage() {
  const { data: factors, error, refetch } = useQuery(factorsQuery)
  return (
    <PageFrame title="Security" lead="What stands between your account and everybody else." width="middle">
      <AccountNav />
      {error && !factors && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {!factors && !error && <Skeleton height={360} radius="md" />}
      {factors && <SecurityPanels factors={factors} />}
    </PageFrame>
  )
}

function SecurityPanels({ factors }: { readonly factors: Factors }) {
  const [codes, setCodes] = useState<readonly string[]>([])
  const isTwofold = hasSecondFactor(factors)
  return (
    <div>
      <div className="security-page-summary">
        <SecuritySummary factors={factors} />
      </div>
      <PasskeysPanel passkeys={factors.passkeys} onRecoveryCodes={setCodes} />
      <TotpPanel isOn={factors.totp} isOnlyFactor={factors.passkeys.length === 0} onRecoveryCodes={setCodes} />
      {isTwofold && <RecoveryPanel left={factors.recoveryCodesLeft} onRecoveryCodes={setCodes} />}
      <PasswordPanel hasSecondFactor={isTwofold} />
      <ProvidersPanel />
      {codes.length > 0 && <RecoveryCodesDialog codes={codes} onClose={() => setCodes([])} />}
    </div>
  )
}
