import { Badge, Button } from '@mantine/core'
import { useState } from 'react'
import { beginTotp, removeTotp } from '#api/second-factors.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-keys.ts'
import { ConfirmDialog } from '#web/ui/dialogs/confirm-dialog.tsx'
import { Panel } from '#web/ui/layout/panel.tsx'
import { notify } from '#web/ui/toast/notify.ts'
import { t } from '#web/i18n/t.ts'
import { useAccountChange } from '#web/features/account/account-queries.ts'
import type { FactorPanelProps } from './factor-panel-props.ts'
import { isPasswordTooShort } from '#web/features/account/password/short-password-notice.tsx'
import { TotpDialog } from './totp-dialog.tsx'

type TotpPanelProps = FactorPanelProps & {
  readonly isOn: boolean
  /** What alone would open the account without the app; undefined while there is another second factor. */
  readonly leftAlone: string | undefined
}

/** The authenticator app: set up, or turned off. */
export function TotpPanel({ isOn, leftAlone, notice, ...news }: TotpPanelProps) {
  const [isAsking, setIsAsking] = useState(false)
  const begin = useAccountChange({ run: () => call(beginTotp), touches: [] })
  const remove = useAccountChange({
    run: () => call(removeTotp),
    touches: [queryKeys.factors, queryKeys.sessions],
    onDone() {
      setIsAsking(false)
      notify.success(t('Authenticator app turned off.'))
      news.onChanged()
    },
    onFailure(error) {
      if (!isPasswordTooShort(error)) return false
      setIsAsking(false)
      news.onPasswordShort()
      return true
    },
  })

  function finish(codes: readonly string[]) {
    begin.reset()
    notify.success(t('Authenticator app turned on.'))
    news.onChanged()
    if (codes.length > 0) news.onRecoveryCodes(codes)
  }

  return (
    <Panel
      mark="totp"
      title={t('Authenticator app')}
      state={isOn ? <Badge color="success">{t('On')}</Badge> : <Badge color="gray">{t('Off')}</Badge>}
      lead={t('An app on your phone shows a new six-digit code every 30 seconds. It works without a network.')}
    >
      {notice}
      {isOn ? (
        <Button onClick={() => setIsAsking(true)}>{t('Turn off')}</Button>
      ) : (
        <Button loading={begin.isPending} onClick={() => begin.mutate()}>
          {t('Set up')}
        </Button>
      )}
      {begin.data && <TotpDialog {...begin.data} onClose={begin.reset} onDone={finish} />}
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={t('Turn off authenticator app')}
        actionLabel={t('Turn off')}
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        {leftAlone !== undefined
          ? t('After that, {leftAlone} is enough to sign in, and your recovery codes are deleted.', { leftAlone })
          : t('Codes from the app will stop working. Your passkeys are kept.')}
      </ConfirmDialog>
    </Panel>
  )
}
