import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { Badge, Button, Checkbox } from '@mantine/core'
import { useState } from 'react'
import { useUser } from '#web/data/session/use-session.ts'
import { saveBlob } from '#web/ui/browser/download.ts'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { IconDownload, IconPrinter } from '#web/ui/icons/general.ts'
import { dateText } from '#web/i18n/locale.ts'
import { t } from '#web/i18n/t.ts'
import '#web/features/account/account-dialog.css'
import './recovery-codes-dialog.css'
import { newRecoveryCodes } from '#api/second-factors.ts'
import { RECOVERY_CODE_COUNT } from '#domain/sessions/second-factors.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { Panel } from '#web/ui/layout/panel.tsx'
import { type FactorPanelProps, useAccountChange } from '#web/features/account/account-queries.ts'

type RecoveryCodesDialogProps = { readonly codes: readonly string[]; readonly onClose: () => void }

/** Explains the codes to users who open the file a year later. */
function fileText(codes: readonly string[], email: string): string {
  const about = t('Recovery codes for Dossier\n{origin}\n{email}\n{day}', {
    origin: window.location.origin,
    email,
    day: dateText(new Date(), { dateStyle: 'medium' }),
  })
  return t('{about}\n\n{codes}\n\nEach code works once.\n', { about, codes: codes.join('\n') })
}

const download = (text: string) => saveBlob(new Blob([text], { type: 'text/plain' }), 'dossier-recovery-codes.txt')

/** Shows new recovery codes once; can be closed only after the user confirms that they are saved. */
export function RecoveryCodesDialog({ codes, onClose }: RecoveryCodesDialogProps) {
  const [isKept, setIsKept] = useState(false)
  const email = useUser()?.email ?? ''
  const text = fileText(codes, email)

  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('Save your recovery codes')}
      size={480}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <div className="account-dialog">
        <p>
          {t(
            'Each code signs you in once if you lose your phone or security key. Save them now, somewhere you can reach without this account. You won’t see them again.',
          )}
        </p>
        <div className="recovery-codes">
          <p className="recovery-codes-about">
            {t('Recovery codes for Dossier · {host} · {email}', { host: window.location.host, email })}
          </p>
          <ol>
            {codes.map((code) => (
              <li key={code}>{code}</li>
            ))}
          </ol>
        </div>
        <div className="recovery-codes-ways">
          <CopyButton text={codes.join('\n')}>{t('Copy')}</CopyButton>
          <Button leftSection={<IconDownload size={16} stroke={1.5} />} onClick={() => download(text)}>
            {t('Download')}
          </Button>
          <Button leftSection={<IconPrinter size={16} stroke={1.5} />} onClick={() => window.print()}>
            {t('Print')}
          </Button>
        </div>
        <Checkbox
          label={t('I have saved these codes in a safe place')}
          checked={isKept}
          onChange={({ currentTarget }) => setIsKept(currentTarget.checked)}
        />
        <div className="dialog-actions">
          <Button variant="filled" disabled={!isKept} onClick={onClose}>
            {t('Done')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

type RecoveryPanelProps = Pick<FactorPanelProps, 'onRecoveryCodes' | 'onChanged' | 'notice'> & { readonly left: number }

export function RecoveryPanel({ left, notice, onRecoveryCodes, onChanged }: RecoveryPanelProps) {
  const renew = useAccountChange({
    run: () => call(newRecoveryCodes),
    touches: [queryKeys.factors, queryKeys.sessions],
    onDone({ recoveryCodes }) {
      onChanged()
      onRecoveryCodes(recoveryCodes)
    },
  })
  return (
    <Panel
      mark="recovery"
      title={t('Recovery codes')}
      state={
        <Badge color={left > 3 ? 'gray' : 'warning'}>
          {t('{left} of {recoveryCodeCount} left', { left, recoveryCodeCount: RECOVERY_CODE_COUNT })}
        </Badge>
      }
      lead={t(
        'Use them to sign in if you lose your phone or security key. Generating new codes invalidates the old ones.',
      )}
    >
      {notice}
      <Button loading={renew.isPending} onClick={() => renew.mutate()}>
        {t('Generate new codes')}
      </Button>
    </Panel>
  )
}
