import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { Button, Checkbox } from '@mantine/core'
import { useState } from 'react'
import { useUser } from '#web/data/session/use-session.ts'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { IconDownload, IconPrinter } from '#web/ui/icons/general.ts'
import { dateText } from '#web/i18n/locale.ts'
import { t } from '#web/i18n/t.ts'
import '../account-dialog.css'
import './recovery-codes-dialog.css'

type RecoveryCodesDialogProps = { readonly codes: readonly string[]; readonly onClose: () => void }

/** Explains the codes for someone who opens the file in a year. */
function fileText(codes: readonly string[], email: string): string {
  const about = t('Recovery codes for Dossier\n{origin}\n{email}\n{day}', {
    origin: window.location.origin,
    email,
    day: dateText(new Date(), { dateStyle: 'medium' }),
  })
  return t('{about}\n\n{codes}\n\nEach code works once.\n', { about, codes: codes.join('\n') })
}

function download(text: string) {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = address
  link.download = 'dossier-recovery-codes.txt'
  link.click()
  URL.revokeObjectURL(address)
}

/** Shows new recovery codes once; closes when the user confirms having saved them. */
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
        <div className="account-dialog-actions">
          <Button variant="filled" disabled={!isKept} onClick={onClose}>
            {t('Done')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
