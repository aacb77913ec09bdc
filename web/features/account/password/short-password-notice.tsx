import { toCallError } from '#web/data/api/call-error.ts'
import { PASSWORD_MIN_CHARACTERS } from '#domain/sessions/password-rules.ts'
import { ErrorNotice } from '#web/ui/feedback/load-states.tsx'
import { t } from '#web/i18n/t.ts'

export const isPasswordTooShort = (error: unknown): boolean => toCallError(error)?.code === 'password-weak'

/** Explains why the last second factor can't be removed, with a link. */
export function ShortPasswordNotice({ onChangePassword }: { readonly onChangePassword: () => void }) {
  return (
    <ErrorNotice
      title={t('Your password is too short without a second factor')}
      detail={t(
        'It has fewer than {passwordMinCharacters} characters, which is only allowed with a second factor. Nothing was removed. Choose a longer password and try again.',
        { passwordMinCharacters: PASSWORD_MIN_CHARACTERS },
      )}
      onRetry={onChangePassword}
      retryLabel={t('Change password first')}
    />
  )
}
