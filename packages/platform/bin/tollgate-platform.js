#!/usr/bin/env node
import 'tollgate/cli';
