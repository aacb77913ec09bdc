import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { factorsQuery } from '#web/features/account/account-queries.ts'
import { SignOutOtherDevices } from '#web/features/account/session-list.tsx'
import { PasskeysPanel } from '#web/features/account/second-factors/passkeys-panel.tsx'
import { type PasswordFormState, PasswordPanel } from '#web/features/account/password-panel.tsx'
import { ProvidersPanel } from '#web/features/account/providers-panel.tsx'
import { RecoveryCodesDialog, RecoveryPanel } from '#web/features/account/second-factors/recovery-codes.tsx'
import {
  type Factors,
  hasSecondFactor,
  SecuritySummary,
  ShortPasswordNotice,
} from '#web/features/account/security-summary.tsx'
import { TotpPanel } from '#web/features/account/second-factors/totp-panel.tsx'
import { t } from '#web/i18n/t.ts'
import { AccountNav, PageFrame } from '#web/pages/frame/page-frame.tsx'

export function SecurityPage() {
  const { data: factors, error, refetch } = useQuery(factorsQuery)
  return (
    <PageFrame title={t('Security')} lead={t('Passkeys, second factors and your password.')} width="middle">
      <AccountNav />
      {error && !factors && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {!factors && !error && <Skeleton height={360} radius="md" />}
      {factors && <SecurityPanels factors={factors} />}
    </PageFrame>
  )
}

type PanelName = 'passkeys' | 'totp' | 'recovery' | 'providers'

/** Message in the panel that was changed last: a suggestion, or why the last factor can't be removed. */
type PanelMessage = { readonly in: PanelName; readonly what: 'changed' | 'password-short'; readonly times: number }

function SecurityPanels({ factors }: { readonly factors: Factors }) {
  const [codes, setCodes] = useState<readonly string[]>([])
  const [said, setSaid] = useState<PanelMessage | null>(null)
  const [passwordForm, setPasswordForm] = useState<PasswordFormState>('closed')
  const isTwofold = hasSecondFactor(factors)

  const say = (panel: PanelName, what: PanelMessage['what']) =>
    setSaid((before) => ({ in: panel, what, times: (before?.times ?? 0) + 1 }))
  function noticeFor(panel: PanelName) {
    if (said?.in !== panel) return null
    // The key remounts the component after each change, so that the suggestion appears again.
    if (said.what === 'changed') return <SignOutOtherDevices key={said.times} />
    return <ShortPasswordNotice onChangePassword={() => setPasswordForm('long')} />
  }
  const propsOf = (panel: PanelName) => ({
    notice: noticeFor(panel),
    onRecoveryCodes: setCodes,
    onChanged: () => say(panel, 'changed'),
    onPasswordShort: () => say(panel, 'password-short'),
  })

  return (
    <div>
      <div className="security-page-summary">
        <SecuritySummary factors={factors} />
      </div>
      <PasskeysPanel passkeys={factors.passkeys} {...propsOf('passkeys')} />
      <TotpPanel isOn={factors.totp} leftAlone={remainingFactor(factors)} {...propsOf('totp')} />
      {isTwofold && <RecoveryPanel left={factors.recoveryCodesLeft} {...propsOf('recovery')} />}
      <PasswordPanel factors={factors} form={passwordForm} onForm={setPasswordForm} onChanged={() => setSaid(null)} />
      <ProvidersPanel {...propsOf('providers')} />
      {codes.length > 0 && <RecoveryCodesDialog codes={codes} onClose={() => setCodes([])} />}
    </div>
  )
}

/** The sign-in method that remains after removing the app; undefined if a passkey remains. */
function remainingFactor({ passkeys, hasPassword }: Factors): string | undefined {
  if (passkeys.length > 0) return undefined
  return hasPassword ? t('your password') : t('your linked account')
}
