import type { TourDefinition } from '#web/ui/tour/tour-machine.ts'
import { t } from '#web/i18n/t.ts'
import { targetSelector } from './tour-targets.ts'

const OTHER_PAGES = {
  selector: targetSelector('section-nav'),
  title: t('The other pages of your account'),
  text: t('Profile, security, sessions and API tokens are side by side.'),
}

const MORE_HELP = {
  selector: targetSelector('help'),
  title: t('More help'),
  text: t('The question mark explains each page, the filter language, every shortcut and every setting.'),
}

/** Tours of the pages about one's own account, each on the page that is open. */
export const accountTours = {
  profile: {
    version: 1,
    steps: [
      {
        selector: targetSelector('page-title'),
        title: t('How others see you'),
        text: t('Your name stands beside what you write and change.'),
      },
      OTHER_PAGES,
      MORE_HELP,
    ],
  },
  security: {
    version: 1,
    steps: [
      {
        selector: targetSelector('security-summary'),
        title: t('How well you are protected'),
        text: t('What stands between your account and everybody else, and what would help most.'),
      },
      {
        selector: targetSelector('passkeys'),
        title: t('Passkeys'),
        text: t('Your fingerprint, your face or a key signs you in. Nothing can be guessed or phished.'),
      },
      {
        selector: targetSelector('totp'),
        title: t('An authenticator app'),
        text: t('A code from your phone, besides the password.'),
      },
      {
        selector: targetSelector('password'),
        title: t('Your password'),
        text: t('When you change it, you may sign out all other devices.'),
      },
    ],
  },
  sessions: {
    version: 1,
    steps: [
      {
        selector: targetSelector('page-title'),
        title: t('Where you are signed in'),
        text: t('Every device and program with a session of yours.'),
      },
      {
        selector: targetSelector('sessions'),
        title: t('End one'),
        text: t('Sign out a device you do not know; it is out with its next request. Then change your password.'),
      },
      OTHER_PAGES,
    ],
  },
  tokens: {
    version: 1,
    steps: [
      {
        selector: targetSelector('page-title'),
        title: t('Programs that act for you'),
        text: t('A token gives a program some of your rights, never more. It is shown once.'),
      },
      OTHER_PAGES,
      MORE_HELP,
    ],
  },
} as const satisfies { readonly [tour: string]: TourDefinition }
