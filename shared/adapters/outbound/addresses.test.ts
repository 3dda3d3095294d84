import { describe, expect, it } from 'vitest';
import { classOf } from './addresses.ts';

const table = {
  public: `
    8.8.8.8 93.184.215.14 172.32.0.1 100.128.0.1 2606:2800:21f:cb07:6820:80da:af6b:8b2c ::ffff:8.8.8.8 64:ff9b::8.8.8.8
  `,
  internal: `
    127.0.0.1 127.255.255.254 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 100.64.0.1
    192.0.0.8 192.0.2.1 198.51.100.1 203.0.113.1 198.18.0.1 198.19.255.255 192.88.99.1
    240.0.0.1 ::1 fc00::1 fd12:3456::1 fec0::1 100::1 2001:db8::1 3fff::1 2001:2::1
    2001:10::1 2001:20::1 5f00::1 4000::1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:7f00:1
    ::127.0.0.1 ::ffff:0:10.0.0.1 64:ff9b::10.0.0.1 64:ff9b::7f00:1 64:ff9b:1::8.8.8.8
    2002:7f00:1:: 2002:808:808::1 2001:0:808:808::f7f7:f7f7 2606:2800::5efe:10.0.0.1 fd00::1%eth0
  `,
  forbidden: `
    169.254.169.254 169.254.170.2 169.254.170.23 169.254.0.1 100.100.100.200 168.63.129.16
    192.0.0.192 fd00:ec2::254 fd00:ec2::23 fd20:ce::254 fd00:42::42 fe80::1 fe80::1%eth0
    fe80::a9fe:a9fe 0.0.0.0 0.1.2.3 :: 224.0.0.1 239.1.2.3 ff02::1 255.255.255.255
    ::ffff:169.254.169.254 ::ffff:a9fe:a9fe ::169.254.169.254 ::ffff:0:169.254.169.254
    64:ff9b::169.254.169.254 64:ff9b::a9fe:a9fe 64:ff9b:1::169.254.169.254 64:ff9b:1:a9fe:a9:fe00::
    2002:a9fe:a9fe:: 2001:0:a9fe:a9fe:: 2001:0:808:808::5601:5601 2606:2800::200:5efe:169.254.169.254
  `,
};
/** What is no address in its one canonical form is nothing to connect to. */
const unreadable = ['', 'localhost', '0x7f.1', '0177.0.0.1', '2130706433', '127.1', '127.0.0.1.', '[::1]', '1.2.3.4/8'];

describe.each(Object.entries(table))('%s', (found, addresses) => {
  it.each(addresses.trim().split(/\s+/))('%s', (address) => expect(classOf(address)).toBe(found));
});

it.each(unreadable)('forbids %j', (address) => expect(classOf(address)).toBe('forbidden'));
