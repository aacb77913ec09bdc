import type { CollectionIcon } from '#domain/collections/collection-look.ts'
import type { Icon } from '#web/kit/icons/draw-icon.tsx'
import { IconArchive } from '#web/kit/icons/icon-archive.ts'
import { IconAward } from '#web/kit/icons/icon-award.ts'
import { IconBook } from '#web/kit/icons/icon-book.ts'
import { IconBriefcase } from '#web/kit/icons/icon-briefcase.ts'
import { IconBug } from '#web/kit/icons/icon-bug.ts'
import { IconBuilding } from '#web/kit/icons/icon-building.ts'
import { IconBuildingWarehouse } from '#web/kit/icons/icon-building-warehouse.ts'
import { IconBulb } from '#web/kit/icons/icon-bulb.ts'
import { IconCalendar } from '#web/kit/icons/icon-calendar.ts'
import { IconCamera } from '#web/kit/icons/icon-camera.ts'
import { IconCar } from '#web/kit/icons/icon-car.ts'
import { IconChartBar } from '#web/kit/icons/icon-chart-bar.ts'
import { IconClipboardList } from '#web/kit/icons/icon-clipboard-list.ts'
import { IconCoin } from '#web/kit/icons/icon-coin.ts'
import { IconCpu } from '#web/kit/icons/icon-cpu.ts'
import { IconCube } from '#web/kit/icons/icon-cube.ts'
import { IconFileText } from '#web/kit/icons/icon-file-text.ts'
import { IconFirstAidKit } from '#web/kit/icons/icon-first-aid-kit.ts'
import { IconFlag } from '#web/kit/icons/icon-flag.ts'
import { IconFlask } from '#web/kit/icons/icon-flask.ts'
import { IconFolder } from '#web/kit/icons/icon-folder.ts'
import { IconGavel } from '#web/kit/icons/icon-gavel.ts'
import { IconGlobe } from '#web/kit/icons/icon-globe.ts'
import { IconHammer } from '#web/kit/icons/icon-hammer.ts'
import { IconLeaf } from '#web/kit/icons/icon-leaf.ts'
import { IconMail } from '#web/kit/icons/icon-mail.ts'
import { IconMapPin } from '#web/kit/icons/icon-map-pin.ts'
import { IconMicroscope } from '#web/kit/icons/icon-microscope.ts'
import { IconMusic } from '#web/kit/icons/icon-music.ts'
import { IconPackage } from '#web/kit/icons/icon-package.ts'
import { IconPaw } from '#web/kit/icons/icon-paw.ts'
import { IconPhoto } from '#web/kit/icons/icon-photo.ts'
import { IconPlane } from '#web/kit/icons/icon-plane.ts'
import { IconReceipt } from '#web/kit/icons/icon-receipt.ts'
import { IconRocket } from '#web/kit/icons/icon-rocket.ts'
import { IconSchool } from '#web/kit/icons/icon-school.ts'
import { IconShield } from '#web/kit/icons/icon-shield.ts'
import { IconTag } from '#web/kit/icons/icon-tag.ts'
import { IconTruck } from '#web/kit/icons/icon-truck.ts'
import { IconUsers } from '#web/kit/icons/icon-users.ts'
import { t } from '#web/language/t.ts'

/** The signs of collections, each with the word for whoever does not see it. They come after the first picture of a page. */
export const COLLECTION_ICON_COMPONENTS: {
  readonly [Sign in CollectionIcon]: { readonly Icon: Icon; readonly label: string }
} = {
  archive: { Icon: IconArchive, label: t('Archive box') },
  award: { Icon: IconAward, label: t('Award') },
  book: { Icon: IconBook, label: t('Book') },
  briefcase: { Icon: IconBriefcase, label: t('Briefcase') },
  bug: { Icon: IconBug, label: t('Bug') },
  building: { Icon: IconBuilding, label: t('Building') },
  'building-warehouse': { Icon: IconBuildingWarehouse, label: t('Warehouse') },
  bulb: { Icon: IconBulb, label: t('Light bulb') },
  calendar: { Icon: IconCalendar, label: t('Calendar') },
  camera: { Icon: IconCamera, label: t('Camera') },
  car: { Icon: IconCar, label: t('Car') },
  'chart-bar': { Icon: IconChartBar, label: t('Chart') },
  'clipboard-list': { Icon: IconClipboardList, label: t('Clipboard') },
  coin: { Icon: IconCoin, label: t('Coin') },
  cpu: { Icon: IconCpu, label: t('Chip') },
  cube: { Icon: IconCube, label: t('Cube') },
  'file-text': { Icon: IconFileText, label: t('Sheet of paper') },
  'first-aid-kit': { Icon: IconFirstAidKit, label: t('First-aid kit') },
  flag: { Icon: IconFlag, label: t('Flag') },
  flask: { Icon: IconFlask, label: t('Flask') },
  folder: { Icon: IconFolder, label: t('Folder') },
  gavel: { Icon: IconGavel, label: t('Gavel') },
  globe: { Icon: IconGlobe, label: t('Globe') },
  hammer: { Icon: IconHammer, label: t('Hammer') },
  leaf: { Icon: IconLeaf, label: t('Leaf') },
  mail: { Icon: IconMail, label: t('Letter') },
  'map-pin': { Icon: IconMapPin, label: t('Place on a map') },
  microscope: { Icon: IconMicroscope, label: t('Microscope') },
  music: { Icon: IconMusic, label: t('Music') },
  package: { Icon: IconPackage, label: t('Parcel') },
  paw: { Icon: IconPaw, label: t('Paw') },
  photo: { Icon: IconPhoto, label: t('Picture') },
  plane: { Icon: IconPlane, label: t('Plane') },
  receipt: { Icon: IconReceipt, label: t('Receipt') },
  rocket: { Icon: IconRocket, label: t('Rocket') },
  school: { Icon: IconSchool, label: t('School') },
  shield: { Icon: IconShield, label: t('Shield') },
  tag: { Icon: IconTag, label: t('Tag') },
  truck: { Icon: IconTruck, label: t('Truck') },
  users: { Icon: IconUsers, label: t('People') },
}
